// Line tables of work-group functions, and source places that are read from them.

#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"

namespace {

uint64_t section_of(const llvm::object::ObjectFile &object, llvm::StringRef function) {
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != function)
      continue;
    llvm::Expected<llvm::object::section_iterator> section = symbol.getSection();
    if (section && *section != object.section_end())
      return (*section)->getIndex();
    if (!section)
      llvm::consumeError(section.takeError());
  }
  return llvm::object::SectionedAddress::UndefSection;
}

// An object file and its debug information.
struct Described {
  std::unique_ptr<llvm::object::ObjectFile> object;
  std::unique_ptr<llvm::DWARFContext> context;

  // Without an object if there is none in the bytes.
  static Described of(const char *file, size_t size) {
    llvm::MemoryBufferRef buffer(llvm::StringRef(file, size), "object");
    auto object = llvm::object::ObjectFile::createObjectFile(buffer);
    if (!object) {
      llvm::consumeError(object.takeError());
      return {};
    }
    auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
    auto context = llvm::DWARFContext::create(
        **object, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore,
        ignore);
    return {std::move(*object), std::move(context)};
  }
};

} // namespace

extern "C" void mocl3_attach_line_table(LLVMValueRef work_group_function) {
  auto &function = *llvm::cast<llvm::Function>(llvm::unwrap(work_group_function));
  if (function.getSubprogram())
    return;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    if (!location)
      continue;
    while (const llvm::DILocation *call = location->getInlinedAt())
      location = call;
    function.setSubprogram(location->getScope()->getSubprogram());
    return;
  }
}

extern "C" bool mocl3_source_places(const char *file, size_t size, const char *function,
                                    uint64_t offset, uint32_t most, Mocl3PlaceReader read,
                                    void *reader) {
  Described described = Described::of(file, size);
  if (!described.object)
    return false;
  using Specifier = llvm::DILineInfoSpecifier;
  // Instructions that no line was kept for have the line of those before them.
  Specifier specifier(Specifier::FileLineInfoKind::RawValue, Specifier::FunctionNameKind::ShortName,
                      /*ApproximateLine=*/true);
  llvm::DIInliningInfo inlined = described.context->getInliningInfoForAddress(
      {offset, section_of(*described.object, function)}, specifier);
  bool is_found = false;
  for (uint32_t frame = 0; frame < inlined.getNumberOfFrames() && frame < most; ++frame) {
    const llvm::DILineInfo &place = inlined.getFrame(frame);
    if (place.Line == 0 || place.FileName == llvm::DILineInfo::BadString)
      continue;
    bool is_known = place.FunctionName != llvm::DILineInfo::BadString;
    llvm::StringRef name = is_known ? llvm::StringRef(place.FunctionName) : "";
    llvm::StringRef source = place.Source.value_or("");
    read(reader, place.FileName.data(), place.FileName.size(), name.data(), name.size(),
         source.data(), source.size(), place.Line, place.Column);
    is_found = true;
  }
  return is_found;
}

extern "C" void mocl3_line_rows(const char *file, size_t size, const char *function,
                                Mocl3RowReader read, void *reader) {
  Described described = Described::of(file, size);
  if (!described.object)
    return;
  uint64_t section = section_of(*described.object, function);
  for (const auto &unit : described.context->compile_units()) {
    const auto *table = described.context->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const llvm::DWARFDebugLine::Row &row : table->Rows) {
      std::string name;
      using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
      bool is_known = row.Address.SectionIndex == section && !row.EndSequence && row.Line != 0 &&
                      table->getFileNameByIndex(row.File, "", Kind::AbsoluteFilePath, name);
      if (is_known)
        read(reader, row.Address.Address, name.data(), name.size(), row.Line);
    }
  }
}
