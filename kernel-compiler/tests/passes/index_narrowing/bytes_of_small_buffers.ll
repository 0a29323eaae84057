; In a launch without buffers of more than 2 GiB, 2^31 bytes fill any object.
define void @k(ptr addrspace(1) %x, i32 %i) "mocl3-small-objects" {
  %index = zext i32 %i to i64
  %address = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %index
  store i8 0, ptr addrspace(1) %address, align 1
  ret void
}

; ==== after ====
define void @k(ptr addrspace(1) %x, i32 %i) #0 {
block:
  %0 = sext i32 %i to i64
  %address = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %0
  store i8 0, ptr addrspace(1) %address, align 1
  ret void
}

attributes #0 = { "mocl3-small-objects" }
