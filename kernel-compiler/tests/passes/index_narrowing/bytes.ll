; 2^31 bytes do not fill the largest buffer, so that the index stays zero-extended. They do fill it
; in local memory.
define void @k(ptr addrspace(1) %x, ptr addrspace(3) %y, i32 %i) {
  %index = zext i32 %i to i64
  %global = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %index
  store i8 0, ptr addrspace(1) %global, align 1
  %local = getelementptr inbounds i8, ptr addrspace(3) %y, i64 %index
  store i8 0, ptr addrspace(3) %local, align 1
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, ptr addrspace(3) %y, i32 %i) {
block:
  %index = zext i32 %i to i64
  %global = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %index
  store i8 0, ptr addrspace(1) %global, align 1
  %0 = sext i32 %i to i64
  %local = getelementptr inbounds i8, ptr addrspace(3) %y, i64 %0
  store i8 0, ptr addrspace(3) %local, align 1
  ret void
}
