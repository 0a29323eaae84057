; A φ may select the address of one variable or another.
@a = internal addrspace(3) global i32 undef
@b = internal addrspace(3) global i32 undef

define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %yes, label %meet
yes:
  br label %meet
meet:
  %which = phi ptr addrspace(3) [ @a, %entry ], [ @b, %yes ]
  store i32 1, ptr addrspace(3) %which
  ret void
}

; ==== after ====
; local memory: 68 bytes

@a = internal addrspace(3) global i32 undef
@b = internal addrspace(3) global i32 undef

define spir_kernel void @k(i1 %c) {
entry:
  %0 = call ptr addrspace(3) @__mocl3_local_memory()
  %1 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 64
  %2 = getelementptr inbounds i8, ptr addrspace(3) %0, i64 0
  br i1 %c, label %yes, label %meet

yes:                                              ; preds = %entry
  br label %meet

meet:                                             ; preds = %yes, %entry
  %which = phi ptr addrspace(3) [ %2, %entry ], [ %1, %yes ]
  store i32 1, ptr addrspace(3) %which, align 4
  ret void
}

declare ptr addrspace(3) @__mocl3_local_memory()
