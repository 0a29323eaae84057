; A kernel with an atomic operation may let others see what it has stored before the launch ends.
define void @k(ptr %arguments, ptr %context) {
entry:
  %to = load ptr addrspace(1), ptr %arguments, align 8
  %line = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <16 x float> zeroinitializer, ptr addrspace(1) %line, align 4
  %count = atomicrmw add ptr addrspace(1) %to, i32 1 seq_cst, align 4
  ret void
}

; ==== after ====
define void @k(ptr %arguments, ptr %context) {
entry:
  %to = load ptr addrspace(1), ptr %arguments, align 8
  %line = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <16 x float> zeroinitializer, ptr addrspace(1) %line, align 4
  %count = atomicrmw add ptr addrspace(1) %to, i32 1 seq_cst, align 4
  ret void
}
