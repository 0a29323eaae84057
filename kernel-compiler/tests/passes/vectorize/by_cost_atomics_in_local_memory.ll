; A histogram of hashes in local memory stays scalar: the lanes' loads and stores conflict.
; lanes by cost: 32
define void @k(ptr addrspace(1) %digits, ptr addrspace(3) %counts) {
entry:
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %x.next, %item ]
  %digit.at = getelementptr i32, ptr addrspace(1) %digits, i64 %x
  %digit = load i32, ptr addrspace(1) %digit.at, align 4
  %m0 = mul i32 %digit, 31
  %h0 = xor i32 %m0, 97
  %m1 = mul i32 %h0, 31
  %h1 = xor i32 %m1, 97
  %m2 = mul i32 %h1, 31
  %h2 = xor i32 %m2, 97
  %m3 = mul i32 %h2, 31
  %h3 = xor i32 %m3, 97
  %bin = and i32 %h3, 15
  %place = sext i32 %bin to i64
  %count.at = getelementptr i32, ptr addrspace(3) %counts, i64 %place
  %before = atomicrmw add ptr addrspace(3) %count.at, i32 1 monotonic
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, 64
  br i1 %more, label %item, label %done, !mocl3.work_items !0

done:
  ret void
}

!0 = !{}

; ==== after ====
; rejected: vector code would cost more: 2245 cycles a row as vector code, 1248 as scalar code
