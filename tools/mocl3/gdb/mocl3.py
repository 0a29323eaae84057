"""gdb commands for kernels that run on MOCL3 (docs/debugging.md).

A kernel in OpenCL C that is debugged has a variable `mocl3`, a structure that identifies the work-item.
"""

import gdb

# Fields of `mocl3` that become convenience variables, such as $mocl3_global_id.
FIELDS = (
    "global_id",
    "local_id",
    "group_id",
    "global_size",
    "local_size",
    "num_groups",
    "global_offset",
    "work_dim",
)

# Bytes of the largest scratchpad of the MT-3000 (AM of an array).
LARGEST_SCRATCHPAD = 768 << 10

# Elements of `mocl3_debug_hthreads` (hthreads/execution/src/debugger.rs).
CLUSTERS = 4

# Bytes that `mocl3 memory` shows by default.
SHOWN = 64


def kernel_frame(frame):
    """The frame of a kernel that is `frame` or calls it, or None."""
    while frame is not None:
        function = frame.function()
        try:
            block = frame.block()
        except RuntimeError:
            block = None
        # Not further than the function: a global variable may have the name.
        while block is not None and not block.is_global and not block.is_static:
            if any(symbol.name == "mocl3" for symbol in block):
                return frame
            if block.function is not None:
                break
            block = block.superblock
        if function is None and frame.type() == gdb.NORMAL_FRAME:
            return None
        frame = frame.older()
    return None


def selected_kernel():
    """The frame of the selected kernel."""
    try:
        frame = kernel_frame(gdb.selected_frame())
    except gdb.error:
        frame = None
    if frame is None:
        raise gdb.GdbError("no kernel is selected: the program has to stop in one")
    return frame


def work_item(frame):
    return frame.read_var("mocl3")


def ask(function):
    """The text that a function of the library returns (docs/debugging.md), or None if it cannot tell now."""
    if gdb.selected_thread() is None:
        raise gdb.GdbError("the program does not run")
    language = gdb.parameter("language")
    locking = gdb.parameter("scheduler-locking")
    try:
        # Other threads must not run meanwhile.
        gdb.execute("set scheduler-locking on", to_string=True)
        gdb.execute("set language c", to_string=True)
        text = gdb.parse_and_eval(f"((const char *(*)(void)) {function})()")
        return text.string() if int(text) != 0 else None
    except gdb.error as error:
        raise gdb.GdbError(f"the program does not use MOCL3 yet, or is a core dump: {error}")
    finally:
        gdb.execute(f"set language {language}", to_string=True)
        gdb.execute(f"set scheduler-locking {locking}", to_string=True)


def tell(function, nothing):
    """Prints that text, or `nothing` if it is empty."""
    text = ask(function)
    if text is None:
        print("The program changes it at this moment: continue for a step, and try again.")
    else:
        print(text.rstrip("\n") or nothing)


def numbers(value):
    """An array of three as a tuple."""
    return tuple(int(value[dimension]) for dimension in range(3))


def parse_id(text):
    """The id that `5`, `5,0` or `5,0,0` means."""
    try:
        parts = [int(part, 0) for part in text.split(",")]
    except ValueError:
        parts = []
    if not 1 <= len(parts) <= 3 or any(part < 0 for part in parts):
        raise gdb.GdbError(f"`{text}` is no id: write 5 or 5,0 or 5,0,0")
    return tuple(parts + [0] * (3 - len(parts)))


def update_variables(_event=None):
    """Sets the convenience variables to what the selected kernel's are."""
    try:
        frame = kernel_frame(gdb.selected_frame())
    except gdb.error:
        frame = None
    item = work_item(frame) if frame is not None else None
    for field in FIELDS:
        value = item[field] if item is not None else None
        gdb.set_convenience_variable("mocl3_" + field, value)


class Is(gdb.Function):
    """Whether the current work-item has this id: $_mocl3_is("global_id", 5, 0, 0).

The first argument is `global_id`, `local_id` or `group_id`. False outside of kernels."""

    def __init__(self):
        super().__init__("_mocl3_is")

    def invoke(self, field, x, y=0, z=0):
        frame = kernel_frame(gdb.newest_frame())
        if frame is None:
            return False
        wanted = (int(x), int(y), int(z))
        return numbers(work_item(frame)[field.string()]) == wanted


class DeviceThread(gdb.Function):
    """The number in its group of the hthreads thread that the selected thread executes: $_mocl3_hthread().

-1 outside of threads, and in programs without hthreads."""

    def __init__(self):
        super().__init__("_mocl3_hthread")

    def invoke(self):
        thread = gdb.selected_thread()
        kind, _, cluster = (thread.name or "").rpartition("-") if thread else ("", "", "")
        if kind != "hthread" or not cluster.isdigit() or int(cluster) >= CLUSTERS:
            return -1
        try:
            numbers = gdb.parse_and_eval("(int *) &mocl3_debug_hthreads")
        except gdb.error:
            return -1
        return numbers[int(cluster)]


class Prefix(gdb.Command):
    """Commands for OpenCL kernels on MOCL3."""

    def __init__(self):
        super().__init__("mocl3", gdb.COMMAND_USER, prefix=True)


class InfoPrefix(gdb.Command):
    """What MOCL3 does: info mocl3 queues, arrays, dma, locks."""

    def __init__(self):
        super().__init__("info mocl3", gdb.COMMAND_STATUS, prefix=True)


class Stop(gdb.Command):
    """What `mocl3 work-item` and `mocl3 group` have in common."""

    def invoke(self, argument, _from_tty):
        parts = argument.split(None, 1)
        if not parts:
            raise gdb.GdbError(f"{self.name} ID [LOCATION]")
        wanted = parse_id(parts[0])
        condition = '$_mocl3_is("%s", %d, %d, %d)' % ((self.field,) + wanted)
        if len(parts) == 2:
            gdb.execute(f"break {parts[1]} if {condition}")
            return
        name = selected_kernel().function().name
        gdb.execute(f"tbreak -qualified {name} if {condition}")
        gdb.execute("continue")


class WorkItem(Stop):
    """Stop at one work-item: mocl3 work-item GLOBAL-ID [LOCATION].

With a location (`file.cl:12`, a function), a breakpoint there that stops for this work-item only.
Without, continue until this work-item begins the kernel that is selected.
The id is that of get_global_id: 5 or 5,0 or 5,0,0."""

    name = "mocl3 work-item"
    field = "global_id"

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)


class Group(Stop):
    """Stop at one work-group: mocl3 group GROUP-ID [LOCATION].

As `mocl3 work-item`, for all work-items of a group."""

    name = "mocl3 group"
    field = "group_id"

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)


def dump(address, size, first):
    """Prints memory, with offsets from `first` on."""
    try:
        data = bytes(gdb.selected_inferior().read_memory(address, size))
    except gdb.MemoryError:
        raise gdb.GdbError(f"{size} bytes at {address:#x} cannot be read")
    for start in range(0, size, 16):
        row = data[start : start + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        print(f"{first + start:#08x}  {row.hex(' ', 4):35}  {text}")


class Memory(gdb.Command):
    """Dump memory of an address space.

mocl3 memory local [OFFSET [BYTES]]       the group's scratchpad
mocl3 memory private [OFFSET [BYTES]]     private data of the group that are not on the stack
mocl3 memory global POINTER [BYTES]       from a pointer on, such as a kernel argument
mocl3 memory constant VARIABLE [BYTES]    the same; VARIABLE may be an array"""

    def __init__(self):
        super().__init__("mocl3 memory", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, _from_tty):
        arguments = gdb.string_to_argv(argument)
        if not arguments:
            raise gdb.GdbError("mocl3 memory local|private|global|constant ...")
        space, arguments = arguments[0], arguments[1:]
        size = None
        if space in ("local", "private"):
            frame = selected_kernel()
            base = int(work_item(frame)[space + "_memory"])
            offset = self.number(arguments, 0, 0)
        elif space in ("global", "constant"):
            if not arguments:
                raise gdb.GdbError(f"mocl3 memory {space} EXPRESSION [BYTES]")
            value = gdb.parse_and_eval(arguments[0])
            if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
                base = int(value)
            elif value.address is not None:
                base, size = int(value.address), value.type.sizeof
            else:
                raise gdb.GdbError(f"`{arguments[0]}` is not in memory")
            offset = 0
        else:
            raise gdb.GdbError(f"`{space}` is none of local, private, global, constant")
        dump(base + offset, self.number(arguments, 1, size or SHOWN), offset)

    @staticmethod
    def number(arguments, index, default):
        if len(arguments) <= index:
            return default
        return int(gdb.parse_and_eval(arguments[index]))


class Scratchpad(gdb.Command):
    """The variables in the group's scratchpad: offset, bytes, name and type."""

    def __init__(self):
        super().__init__("mocl3 scratchpad", gdb.COMMAND_DATA)

    def invoke(self, _argument, _from_tty):
        frame = selected_kernel()
        item = work_item(frame)
        base, private = int(item["local_memory"]), int(item["private_memory"])
        end = base + LARGEST_SCRATCHPAD
        if base < private < end:
            end = private
        rows = []
        for symbol in self.variables(frame):
            value = symbol.value(frame)
            if symbol.is_argument and value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
                place, size = int(value), "-"
            elif value.address is not None:
                place, size = int(value.address), value.type.sizeof
            else:
                continue
            if base <= place < end:
                rows.append((place - base, size, symbol.name, value.type))
        print(f"local memory at {base:#x}")
        for offset, size, name, kind in sorted(rows, key=lambda row: row[0]):
            print(f"{offset:#08x} {size:>8}  {name} ({kind})")
        if not rows:
            print("the kernel has no variables in it")

    @staticmethod
    def variables(frame):
        block = frame.block()
        while block is not None:
            for symbol in block:
                if (symbol.is_variable or symbol.is_argument) and symbol.name != "mocl3":
                    yield symbol
            if block.function is not None:
                return
            block = block.superblock


class Arrays(gdb.Command):
    """The host threads that execute work-groups, and where each of them is."""

    def __init__(self):
        super().__init__("info mocl3 arrays", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        selected = gdb.selected_thread()
        frame = gdb.selected_frame() if selected is not None else None
        found = False
        try:
            for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
                thread.switch()
                kernel = kernel_frame(gdb.newest_frame())
                if kernel is None:
                    continue
                found = True
                item = work_item(kernel)
                print(
                    f"thread {thread.num}: {kernel.function().name}, group "
                    f"{numbers(item['group_id'])}, global id {numbers(item['global_id'])}, "
                    f"scratchpad {int(item['local_memory']):#x}"
                )
        finally:
            if selected is not None:
                selected.switch()
                frame.select()
        if not found:
            print("no thread is in a kernel that is debugged")
        print(
            "Which array of the machine executes a group is not shown: kernels that are debugged "
            "take no simulated time. `mocl3 trace` shows it."
        )


class Queues(gdb.Command):
    """The command queues of the process, and their commands that run or wait."""

    def __init__(self):
        super().__init__("info mocl3 queues", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        tell("mocl3_debug_queues", "There is no queue.")


class Transfers(gdb.Command):
    """The asynchronous copies that the selected thread's work-group has not waited for.

Their bytes are copied already; on the machine they are not before wait_group_events returns."""

    def __init__(self):
        super().__init__("info mocl3 dma", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        tell(
            "mocl3_debug_transfers",
            "The work-group of this thread has waited for all its asynchronous copies.",
        )


class Locks(gdb.Command):
    """Why there are no locks to show."""

    REASON = (
        "No lock is held: atomic operations are instructions of the host in kernels that run under "
        "gdb. The machine's hardware locks, of which an atomic operation on global memory acquires "
        "one, exist in simulated time only. `mocl3 stat` shows how long arrays wait for them."
    )

    def __init__(self):
        super().__init__("info mocl3 locks", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        print(self.REASON)


class FindingBreakpoint(gdb.Breakpoint):
    """Stops at each first finding of `mocl3 check`."""

    def __init__(self):
        super().__init__("-qualified mocl3_debug_finding")
        # The stop shows the finding instead of this function.
        self.silent = True


def is_compiled_at_run_time(frame):
    """Whether a frame is one of a kernel with source lines."""
    symtab = frame.find_sal().symtab
    # Its object is no file: <in-memory@...>, or in other versions << JIT compiled code at ...>>.
    return symtab is not None and symtab.objfile.filename.startswith("<")


def show_finding(event):
    """Prints the finding that has stopped the program, and selects the frame of its kernel."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    if not any(isinstance(one, FindingBreakpoint) for one in event.breakpoints):
        return
    frame = gdb.newest_frame()
    # The argument; the function has no debug information.
    text = frame.read_register("rdi").cast(gdb.lookup_type("long"))
    print(string_at(int(text)))
    while frame is not None and not is_compiled_at_run_time(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def string_at(address):
    """The C string at an address."""
    inferior = gdb.selected_inferior()
    end = inferior.search_memory(address, 1 << 20, b"\0")
    return bytes(inferior.read_memory(address, end - address)).decode(errors="replace")


class Findings(gdb.Command):
    """Stop at findings of checks: mocl3 findings on|off.

The program stops where a check finds the first error of its kind and place, in the frame of its kernel,
and `continue` continues to the next one. `mocl3 debug --checks LIST` turns it on; it needs MOCL3_CHECK in
the program's environment, or LIST."""

    breakpoint = None

    def __init__(self):
        super().__init__("mocl3 findings", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, _from_tty):
        if argument not in ("on", "off"):
            raise gdb.GdbError("mocl3 findings on|off")
        if self.breakpoint is not None and self.breakpoint.is_valid():
            self.breakpoint.delete()
        self.breakpoint = FindingBreakpoint() if argument == "on" else None


def report_unset(_event):
    """Says when the program ends which breakpoints have had no place."""
    for breakpoint in gdb.breakpoints():
        if breakpoint.enabled and breakpoint.pending and breakpoint.location:
            print(
                f"Breakpoint {breakpoint.number}, {breakpoint.location}, has never been set: no code that ran "
                "has that place. Optimised code has none for a function that was inlined and left no "
                "instructions, device code without -g none for any inlined function, and assembly none for its "
                "lines. Device code that is compiled with -g -O0 has all of its functions and lines."
            )


def install():
    Prefix()
    InfoPrefix()
    for command in (
        WorkItem,
        Group,
        Memory,
        Scratchpad,
        Arrays,
        Queues,
        Transfers,
        Locks,
        Findings,
        Is,
        DeviceThread,
    ):
        command()
    gdb.events.stop.connect(update_variables)
    gdb.events.stop.connect(show_finding)
    gdb.events.exited.connect(report_unset)
    # Kernels are compiled while the program runs: breakpoints in them are pending before.
    gdb.execute("set breakpoint pending on")


install()
