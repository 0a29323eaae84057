; A store of whole lines to a buffer that is not read becomes streaming. Those to a buffer that is read, of half a
; line, of vectors that are interleaved, and at an address that is the same in each iteration stay.
define void @k(ptr %arguments, ptr %context) {
entry:
  %from = load ptr addrspace(1), ptr %arguments, align 8
  %to_at = getelementptr inbounds i8, ptr %arguments, i64 8
  %to = load ptr addrspace(1), ptr %to_at, align 8
  %both_at = getelementptr inbounds i8, ptr %arguments, i64 16
  %both = load ptr addrspace(1), ptr %both_at, align 8
  %n_at = getelementptr i8, ptr %context, i64 104
  %n = load i64, ptr %n_at, align 8
  %early = getelementptr float, ptr addrspace(1) %to, i64 7
  br label %lanes

lanes:
  %source = getelementptr float, ptr addrspace(1) %from, i64 %n
  %value = load <16 x float>, ptr addrspace(1) %source, align 4
  %line = getelementptr float, ptr addrspace(1) %to, i64 %n
  store <16 x float> %value, ptr addrspace(1) %line, align 4
  %own = getelementptr float, ptr addrspace(1) %both, i64 %n
  %old = load <16 x float>, ptr addrspace(1) %own, align 4
  store <16 x float> %old, ptr addrspace(1) %own, align 4
  %half = getelementptr i8, ptr addrspace(1) %to, i64 %n
  store <8 x float> zeroinitializer, ptr addrspace(1) %half, align 4
  %both_values = shufflevector <16 x float> %value, <16 x float> %old, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %third = shufflevector <16 x float> %value, <16 x float> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %interleaved = shufflevector <32 x float> %both_values, <32 x float> %third, <48 x i32> <i32 0, i32 16, i32 32, i32 1, i32 17, i32 33, i32 2, i32 18, i32 34, i32 3, i32 19, i32 35, i32 4, i32 20, i32 36, i32 5, i32 21, i32 37, i32 6, i32 22, i32 38, i32 7, i32 23, i32 39, i32 8, i32 24, i32 40, i32 9, i32 25, i32 41, i32 10, i32 26, i32 42, i32 11, i32 27, i32 43, i32 12, i32 28, i32 44, i32 13, i32 29, i32 45, i32 14, i32 30, i32 46, i32 15, i32 31, i32 47>
  %other = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <48 x float> %interleaved, ptr addrspace(1) %other, align 4
  store <16 x float> %value, ptr addrspace(1) %early, align 4
  %guarded = getelementptr i8, ptr addrspace(1) %to, i64 %n
  %all = icmp ult i64 %n, 100
  br i1 %all, label %whole, label %next

whole:
  store <16 x float> %value, ptr addrspace(1) %guarded, align 4
  br label %next

next:
  %more = icmp ult i64 %n, 200
  br i1 %more, label %lanes, label %done

done:
  ret void
}

; ==== after ====
define void @k(ptr %arguments, ptr %context) {
entry:
  %0 = getelementptr inbounds i8, ptr %context, i64 224
  %1 = load i64, ptr %0, align 8
  %from = load ptr addrspace(1), ptr %arguments, align 8
  %to_at = getelementptr inbounds i8, ptr %arguments, i64 8
  %to = load ptr addrspace(1), ptr %to_at, align 8
  %both_at = getelementptr inbounds i8, ptr %arguments, i64 16
  %both = load ptr addrspace(1), ptr %both_at, align 8
  %n_at = getelementptr i8, ptr %context, i64 104
  %n = load i64, ptr %n_at, align 8
  %early = getelementptr float, ptr addrspace(1) %to, i64 7
  br label %lanes

lanes:                                            ; preds = %next, %entry
  %source = getelementptr float, ptr addrspace(1) %from, i64 %n
  %value = load <16 x float>, ptr addrspace(1) %source, align 4
  %line = getelementptr float, ptr addrspace(1) %to, i64 %n
  %2 = ptrtoint ptr addrspace(1) %line to i64
  %3 = and i64 %2, 63
  %4 = or i64 %3, %1
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %streaming, label %ordinary

streaming:                                        ; preds = %lanes
  store <16 x float> %value, ptr addrspace(1) %line, align 64, !nontemporal !0
  br label %after

ordinary:                                         ; preds = %lanes
  store <16 x float> %value, ptr addrspace(1) %line, align 4
  br label %after

after:                                            ; preds = %ordinary, %streaming
  %own = getelementptr float, ptr addrspace(1) %both, i64 %n
  %old = load <16 x float>, ptr addrspace(1) %own, align 4
  store <16 x float> %old, ptr addrspace(1) %own, align 4
  %half = getelementptr i8, ptr addrspace(1) %to, i64 %n
  store <8 x float> zeroinitializer, ptr addrspace(1) %half, align 4
  %both_values = shufflevector <16 x float> %value, <16 x float> %old, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %third = shufflevector <16 x float> %value, <16 x float> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %interleaved = shufflevector <32 x float> %both_values, <32 x float> %third, <48 x i32> <i32 0, i32 16, i32 32, i32 1, i32 17, i32 33, i32 2, i32 18, i32 34, i32 3, i32 19, i32 35, i32 4, i32 20, i32 36, i32 5, i32 21, i32 37, i32 6, i32 22, i32 38, i32 7, i32 23, i32 39, i32 8, i32 24, i32 40, i32 9, i32 25, i32 41, i32 10, i32 26, i32 42, i32 11, i32 27, i32 43, i32 12, i32 28, i32 44, i32 13, i32 29, i32 45, i32 14, i32 30, i32 46, i32 15, i32 31, i32 47>
  %other = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <48 x float> %interleaved, ptr addrspace(1) %other, align 4
  store <16 x float> %value, ptr addrspace(1) %early, align 4
  %guarded = getelementptr i8, ptr addrspace(1) %to, i64 %n
  %all = icmp ult i64 %n, 100
  br i1 %all, label %whole, label %next

whole:                                            ; preds = %after
  %6 = ptrtoint ptr addrspace(1) %guarded to i64
  %7 = and i64 %6, 63
  %8 = or i64 %7, %1
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %streaming2, label %ordinary3

streaming2:                                       ; preds = %whole
  store <16 x float> %value, ptr addrspace(1) %guarded, align 64, !nontemporal !0
  br label %after1

ordinary3:                                        ; preds = %whole
  store <16 x float> %value, ptr addrspace(1) %guarded, align 4
  br label %after1

after1:                                           ; preds = %ordinary3, %streaming2
  br label %next

next:                                             ; preds = %after1, %after
  %more = icmp ult i64 %n, 200
  br i1 %more, label %lanes, label %done

done:                                             ; preds = %next
  ret void
}

!0 = !{i32 1}
