; Each work-item accesses bytes of its own: `a` is an element of a row, and of `b` it is a structure
; per work-item. Of `c` two work-items access the same element.
declare i64 @__mocl3_global_id(i32)
declare i64 @__mocl3_group_id(i32)
declare i64 @__mocl3_local_id(i32)
declare i64 @__mocl3_local_size(i32)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %width) {
entry:
  %x = call i64 @__mocl3_global_id(i32 0)
  %y = call i64 @__mocl3_global_id(i32 1)
  %row = trunc i64 %y to i32
  %column = trunc i64 %x to i32
  %begin = mul i32 %row, %width
  %index = add i32 %begin, %column
  %wide = sext i32 %index to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %value = load float, ptr addrspace(1) %element, align 4
  store float %value, ptr addrspace(1) %element, align 4
  %group = call i64 @__mocl3_group_id(i32 0)
  %local = call i64 @__mocl3_local_id(i32 0)
  %size = call i64 @__mocl3_local_size(i32 0)
  %first = mul i64 %group, %size
  %item = add i64 %first, %local
  %structure = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %b, i64 %item
  %field = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %structure, i32 0, i32 1
  store i32 1, ptr addrspace(1) %structure, align 4
  store i32 2, ptr addrspace(1) %field, align 4
  %half = lshr i64 %x, 1
  %shared = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %half
  store i32 3, ptr addrspace(1) %shared, align 4
  ret void
}

; ==== after ====
; granules of 4 and 8 bytes, written arguments [0, 1, 2], unshared [argument 0: OwnBytes { strides: [(Global(0), [Product { constant: 4, factors: [] }]), (Global(1), [Product { constant: 4, factors: [Argument(0, 8)] }])], bytes: 4 }, argument 1: OwnBytes { strides: [(Local(0), [Product { constant: 8, factors: [] }]), (Group(0), [Product { constant: 8, factors: [LocalSize(0)] }])], bytes: 8 }]

declare i64 @__mocl3_global_id(i32)

declare i64 @__mocl3_group_id(i32)

declare i64 @__mocl3_local_id(i32)

declare i64 @__mocl3_local_size(i32)

define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %width) {
entry:
  %local_phase = alloca i32, align 4
  store i32 0, ptr %local_phase, align 4
  %global_phase = alloca i32, align 4
  store i32 0, ptr %global_phase, align 4
  %x = call i64 @__mocl3_global_id(i32 0)
  %y = call i64 @__mocl3_global_id(i32 1)
  %row = trunc i64 %y to i32
  %column = trunc i64 %x to i32
  %begin = mul i32 %row, %width
  %index = add i32 %begin, %column
  %wide = sext i32 %index to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %0 = mul i64 %wide, 4
  %1 = add i64 0, %0
  %2 = call i64 @__mocl3_argument_bytes(i32 13)
  %3 = call i64 @__mocl3_argument_bytes(i32 18)
  %4 = icmp ne i64 %2, 0
  %5 = inttoptr i64 %2 to ptr addrspace(1)
  %6 = inttoptr i64 %3 to ptr addrspace(1)
  %7 = mul i64 %1, 2
  %8 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 %7
  %9 = getelementptr inbounds i8, ptr addrspace(1) %6, i64 %7
  %10 = load i32, ptr %global_phase, align 4
  %11 = zext i32 %10 to i64
  %12 = call i64 @__mocl3_group_id(i32 0)
  %13 = call i64 @__mocl3_group_id(i32 1)
  %14 = call i64 @__mocl3_group_id(i32 2)
  %15 = call i64 @__mocl3_num_groups(i32 0)
  %16 = call i64 @__mocl3_num_groups(i32 1)
  %17 = call i64 @__mocl3_num_groups(i32 2)
  %18 = mul i64 %16, %14
  %19 = add i64 %13, %18
  %20 = mul i64 %15, %19
  %21 = add i64 %12, %20
  %22 = urem i64 %21, 65521
  %23 = add i64 %22, 1
  %24 = mul i64 %23, 281474976710656
  %25 = and i64 %24, -281474976710656
  %26 = mul i64 %11, 268435456
  %27 = and i64 %26, 281474708275200
  %28 = or i64 0, %25
  %29 = or i64 %28, %27
  %30 = call i64 @__mocl3_local_size(i32 0)
  %31 = call i64 @__mocl3_local_size(i32 1)
  %32 = call i64 @__mocl3_local_size(i32 2)
  %33 = call i64 @__mocl3_local_id(i32 0)
  %34 = call i64 @__mocl3_local_id(i32 1)
  %35 = call i64 @__mocl3_local_id(i32 2)
  %36 = mul i64 %31, %35
  %37 = add i64 %34, %36
  %38 = mul i64 %30, %37
  %39 = add i64 %33, %38
  %40 = mul i64 %39, 8
  %41 = and i64 %40, 65528
  %42 = or i64 %29, %41
  %43 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %4, label %tracked, label %after5

tracked:                                          ; preds = %entry
  %44 = load i64, ptr addrspace(1) %8, align 8
  %45 = load i64, ptr addrspace(1) %9, align 8
  %46 = icmp ne i64 %44, 0
  %47 = xor i64 %45, %29
  %48 = and i64 %47, -268435455
  %49 = icmp ne i64 %48, 1
  %50 = and i64 %45, 2
  %51 = icmp eq i64 %50, 0
  %52 = and i1 %49, %51
  %53 = or i1 %46, %52
  br i1 %53, label %compare, label %after1

compare:                                          ; preds = %tracked
  %54 = xor i64 %44, %42
  %55 = and i64 %54, 65529
  %56 = icmp ne i64 %55, 0
  %57 = icmp ne i64 %44, 0
  %58 = xor i64 %44, %29
  %59 = and i64 %58, 281474708275200
  %60 = icmp eq i64 %59, 0
  %61 = and i1 %60, %56
  %62 = xor i64 %44, %29
  %63 = and i64 %62, -281474976710654
  %64 = icmp ne i64 %63, 0
  %65 = or i1 %64, %61
  %66 = and i1 %57, %65
  br i1 %66, label %race, label %after2

race:                                             ; preds = %compare
  %67 = call i64 @__mocl3_local_id(i32 0)
  %68 = call i64 @__mocl3_local_id(i32 1)
  %69 = call i64 @__mocl3_local_id(i32 2)
  %70 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %70, i64 0, i64 0, i64 %1, i64 4, i64 %44, i64 %67, i64 %68, i64 %69)
  br label %after2

after2:                                           ; preds = %race, %compare
  %71 = xor i64 %45, %42
  %72 = and i64 %71, -268369928
  %73 = icmp ne i64 %72, 0
  br i1 %73, label %enter, label %after3

enter:                                            ; preds = %after2
  %74 = xor i64 %45, %29
  %75 = and i64 %74, -281474976710654
  %76 = icmp ne i64 %75, 0
  %77 = select i1 %76, i64 2, i64 1
  %78 = xor i64 %45, %42
  %79 = and i64 %78, 65529
  %80 = icmp ne i64 %79, 0
  %81 = icmp ne i64 %45, 0
  %82 = xor i64 %45, %29
  %83 = and i64 %82, 281474708275200
  %84 = icmp eq i64 %83, 0
  %85 = and i1 %84, %80
  %86 = xor i64 %45, %29
  %87 = and i64 %86, -281474976710654
  %88 = icmp ne i64 %87, 0
  %89 = or i1 %88, %85
  %90 = and i1 %81, %89
  %91 = select i1 %90, i64 %77, i64 0
  %92 = or i64 %42, %91
  store i64 %92, ptr addrspace(1) %9, align 8
  %93 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %43
  %94 = load i64, ptr addrspace(1) %93, align 8
  %95 = xor i64 %94, %42
  %96 = and i64 %95, 65528
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %several, label %after4

several:                                          ; preds = %enter
  %98 = or i64 %94, 1
  store i64 %98, ptr addrspace(1) %9, align 8
  br label %after4

after4:                                           ; preds = %several, %enter
  br label %after3

after3:                                           ; preds = %after4, %after2
  br label %after1

after1:                                           ; preds = %after3, %tracked
  br label %after5

after5:                                           ; preds = %after1, %entry
  %value = load float, ptr addrspace(1) %element, align 4
  %99 = mul i64 %wide, 4
  %100 = add i64 0, %99
  %101 = call i64 @__mocl3_argument_bytes(i32 13)
  %102 = call i64 @__mocl3_argument_bytes(i32 18)
  %103 = icmp ne i64 %101, 0
  %104 = inttoptr i64 %101 to ptr addrspace(1)
  %105 = inttoptr i64 %102 to ptr addrspace(1)
  %106 = mul i64 %100, 2
  %107 = getelementptr inbounds i8, ptr addrspace(1) %104, i64 %106
  %108 = getelementptr inbounds i8, ptr addrspace(1) %105, i64 %106
  %109 = load i32, ptr %global_phase, align 4
  %110 = zext i32 %109 to i64
  %111 = call i64 @__mocl3_group_id(i32 0)
  %112 = call i64 @__mocl3_group_id(i32 1)
  %113 = call i64 @__mocl3_group_id(i32 2)
  %114 = call i64 @__mocl3_num_groups(i32 0)
  %115 = call i64 @__mocl3_num_groups(i32 1)
  %116 = call i64 @__mocl3_num_groups(i32 2)
  %117 = mul i64 %115, %113
  %118 = add i64 %112, %117
  %119 = mul i64 %114, %118
  %120 = add i64 %111, %119
  %121 = urem i64 %120, 65521
  %122 = add i64 %121, 1
  %123 = mul i64 %122, 281474976710656
  %124 = and i64 %123, -281474976710656
  %125 = mul i64 %110, 268435456
  %126 = and i64 %125, 281474708275200
  %127 = or i64 65536, %124
  %128 = or i64 %127, %126
  %129 = call i64 @__mocl3_local_size(i32 0)
  %130 = call i64 @__mocl3_local_size(i32 1)
  %131 = call i64 @__mocl3_local_size(i32 2)
  %132 = call i64 @__mocl3_local_id(i32 0)
  %133 = call i64 @__mocl3_local_id(i32 1)
  %134 = call i64 @__mocl3_local_id(i32 2)
  %135 = mul i64 %130, %134
  %136 = add i64 %133, %135
  %137 = mul i64 %129, %136
  %138 = add i64 %132, %137
  %139 = mul i64 %138, 8
  %140 = and i64 %139, 65528
  %141 = or i64 %128, %140
  %142 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %103, label %tracked6, label %after12

tracked6:                                         ; preds = %after5
  %143 = load i64, ptr addrspace(1) %107, align 8
  %144 = load i64, ptr addrspace(1) %108, align 8
  %145 = xor i64 %143, %141
  %146 = and i64 %145, 65529
  %147 = icmp ne i64 %146, 0
  %148 = icmp ne i64 %143, 0
  %149 = xor i64 %143, %128
  %150 = and i64 %149, 281474708275200
  %151 = icmp eq i64 %150, 0
  %152 = and i1 %151, %147
  %153 = xor i64 %143, %128
  %154 = and i64 %153, -281474976710654
  %155 = icmp ne i64 %154, 0
  %156 = or i1 %155, %152
  %157 = and i1 %148, %156
  %158 = xor i64 %144, %141
  %159 = and i64 %158, 65529
  %160 = icmp ne i64 %159, 0
  %161 = icmp ne i64 %144, 0
  %162 = xor i64 %144, %128
  %163 = and i64 %162, 281474708275200
  %164 = icmp eq i64 %163, 0
  %165 = and i1 %164, %160
  %166 = xor i64 %144, %128
  %167 = and i64 %166, -281474976710654
  %168 = icmp ne i64 %167, 0
  %169 = or i1 %168, %165
  %170 = and i1 %161, %169
  %171 = or i1 %157, %170
  br i1 %171, label %conflict, label %after7

conflict:                                         ; preds = %tracked6
  %172 = load float, ptr addrspace(1) %element, align 4
  %173 = bitcast float %172 to i32
  %174 = bitcast float %value to i32
  %175 = icmp eq i32 %173, %174
  %176 = icmp eq i1 %175, false
  %177 = and i1 %157, %176
  br i1 %177, label %race9, label %after8

race9:                                            ; preds = %conflict
  %178 = call i64 @__mocl3_local_id(i32 0)
  %179 = call i64 @__mocl3_local_id(i32 1)
  %180 = call i64 @__mocl3_local_id(i32 2)
  %181 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %181, i64 1, i64 0, i64 %100, i64 4, i64 %143, i64 %178, i64 %179, i64 %180)
  br label %after8

after8:                                           ; preds = %race9, %conflict
  br i1 %170, label %race11, label %after10

race11:                                           ; preds = %after8
  %182 = call i64 @__mocl3_local_id(i32 0)
  %183 = call i64 @__mocl3_local_id(i32 1)
  %184 = call i64 @__mocl3_local_id(i32 2)
  %185 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %185, i64 1, i64 0, i64 %100, i64 4, i64 %144, i64 %182, i64 %183, i64 %184)
  br label %after10

after10:                                          ; preds = %race11, %after8
  br label %after7

after7:                                           ; preds = %after10, %tracked6
  br label %after12

after12:                                          ; preds = %after7, %after5
  store float %value, ptr addrspace(1) %element, align 4
  br i1 %103, label %tracked13, label %after17

tracked13:                                        ; preds = %after12
  store i64 %141, ptr addrspace(1) %107, align 8
  %186 = getelementptr inbounds i8, ptr addrspace(1) %107, i64 %142
  %187 = load i64, ptr addrspace(1) %186, align 8
  %188 = xor i64 %187, %141
  %189 = and i64 %188, 65528
  %190 = icmp ne i64 %189, 0
  br i1 %190, label %overwritten, label %after14

overwritten:                                      ; preds = %tracked13
  %191 = load float, ptr addrspace(1) %element, align 4
  %192 = bitcast float %191 to i32
  %193 = bitcast float %value to i32
  %194 = icmp eq i32 %192, %193
  %195 = icmp eq i1 %194, false
  %196 = and i1 %190, %195
  br i1 %196, label %race16, label %after15

race16:                                           ; preds = %overwritten
  %197 = call i64 @__mocl3_local_id(i32 0)
  %198 = call i64 @__mocl3_local_id(i32 1)
  %199 = call i64 @__mocl3_local_id(i32 2)
  %200 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %200, i64 1, i64 0, i64 %100, i64 4, i64 %187, i64 %197, i64 %198, i64 %199)
  br label %after15

after15:                                          ; preds = %race16, %overwritten
  br label %after14

after14:                                          ; preds = %after15, %tracked13
  br label %after17

after17:                                          ; preds = %after14, %after12
  %group = call i64 @__mocl3_group_id(i32 0)
  %local = call i64 @__mocl3_local_id(i32 0)
  %size = call i64 @__mocl3_local_size(i32 0)
  %first = mul i64 %group, %size
  %item = add i64 %first, %local
  %structure = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %b, i64 %item
  %field = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %structure, i32 0, i32 1
  %201 = mul i64 %item, 8
  %202 = add i64 0, %201
  %203 = call i64 @__mocl3_argument_bytes(i32 14)
  %204 = call i64 @__mocl3_argument_bytes(i32 19)
  %205 = icmp ne i64 %203, 0
  %206 = inttoptr i64 %203 to ptr addrspace(1)
  %207 = inttoptr i64 %204 to ptr addrspace(1)
  %208 = mul i64 %202, 2
  %209 = getelementptr inbounds i8, ptr addrspace(1) %206, i64 %208
  %210 = getelementptr inbounds i8, ptr addrspace(1) %207, i64 %208
  %211 = load i32, ptr %global_phase, align 4
  %212 = zext i32 %211 to i64
  %213 = call i64 @__mocl3_group_id(i32 0)
  %214 = call i64 @__mocl3_group_id(i32 1)
  %215 = call i64 @__mocl3_group_id(i32 2)
  %216 = call i64 @__mocl3_num_groups(i32 0)
  %217 = call i64 @__mocl3_num_groups(i32 1)
  %218 = call i64 @__mocl3_num_groups(i32 2)
  %219 = mul i64 %217, %215
  %220 = add i64 %214, %219
  %221 = mul i64 %216, %220
  %222 = add i64 %213, %221
  %223 = urem i64 %222, 65521
  %224 = add i64 %223, 1
  %225 = mul i64 %224, 281474976710656
  %226 = and i64 %225, -281474976710656
  %227 = mul i64 %212, 268435456
  %228 = and i64 %227, 281474708275200
  %229 = or i64 131072, %226
  %230 = or i64 %229, %228
  %231 = call i64 @__mocl3_local_size(i32 0)
  %232 = call i64 @__mocl3_local_size(i32 1)
  %233 = call i64 @__mocl3_local_size(i32 2)
  %234 = call i64 @__mocl3_local_id(i32 0)
  %235 = call i64 @__mocl3_local_id(i32 1)
  %236 = call i64 @__mocl3_local_id(i32 2)
  %237 = mul i64 %232, %236
  %238 = add i64 %235, %237
  %239 = mul i64 %231, %238
  %240 = add i64 %234, %239
  %241 = mul i64 %240, 8
  %242 = and i64 %241, 65528
  %243 = or i64 %230, %242
  %244 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %205, label %tracked18, label %after25

tracked18:                                        ; preds = %after17
  %245 = load i64, ptr addrspace(1) %209, align 8
  %246 = load i64, ptr addrspace(1) %210, align 8
  %247 = xor i64 %245, %243
  %248 = and i64 %247, 65529
  %249 = icmp ne i64 %248, 0
  %250 = icmp ne i64 %245, 0
  %251 = xor i64 %245, %230
  %252 = and i64 %251, 281474708275200
  %253 = icmp eq i64 %252, 0
  %254 = and i1 %253, %249
  %255 = xor i64 %245, %230
  %256 = and i64 %255, -281474976710654
  %257 = icmp ne i64 %256, 0
  %258 = or i1 %257, %254
  %259 = and i1 %250, %258
  %260 = xor i64 %246, %243
  %261 = and i64 %260, 65529
  %262 = icmp ne i64 %261, 0
  %263 = icmp ne i64 %246, 0
  %264 = xor i64 %246, %230
  %265 = and i64 %264, 281474708275200
  %266 = icmp eq i64 %265, 0
  %267 = and i1 %266, %262
  %268 = xor i64 %246, %230
  %269 = and i64 %268, -281474976710654
  %270 = icmp ne i64 %269, 0
  %271 = or i1 %270, %267
  %272 = and i1 %263, %271
  %273 = or i1 %259, %272
  br i1 %273, label %conflict20, label %after19

conflict20:                                       ; preds = %tracked18
  %274 = load i32, ptr addrspace(1) %structure, align 4
  %275 = icmp eq i32 %274, 1
  %276 = icmp eq i1 %275, false
  %277 = and i1 %259, %276
  br i1 %277, label %race22, label %after21

race22:                                           ; preds = %conflict20
  %278 = call i64 @__mocl3_local_id(i32 0)
  %279 = call i64 @__mocl3_local_id(i32 1)
  %280 = call i64 @__mocl3_local_id(i32 2)
  %281 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %281, i64 2, i64 1, i64 %202, i64 4, i64 %245, i64 %278, i64 %279, i64 %280)
  br label %after21

after21:                                          ; preds = %race22, %conflict20
  br i1 %272, label %race24, label %after23

race24:                                           ; preds = %after21
  %282 = call i64 @__mocl3_local_id(i32 0)
  %283 = call i64 @__mocl3_local_id(i32 1)
  %284 = call i64 @__mocl3_local_id(i32 2)
  %285 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %285, i64 2, i64 1, i64 %202, i64 4, i64 %246, i64 %282, i64 %283, i64 %284)
  br label %after23

after23:                                          ; preds = %race24, %after21
  br label %after19

after19:                                          ; preds = %after23, %tracked18
  br label %after25

after25:                                          ; preds = %after19, %after17
  store i32 1, ptr addrspace(1) %structure, align 4
  br i1 %205, label %tracked26, label %after31

tracked26:                                        ; preds = %after25
  store i64 %243, ptr addrspace(1) %209, align 8
  %286 = getelementptr inbounds i8, ptr addrspace(1) %209, i64 %244
  %287 = load i64, ptr addrspace(1) %286, align 8
  %288 = xor i64 %287, %243
  %289 = and i64 %288, 65528
  %290 = icmp ne i64 %289, 0
  br i1 %290, label %overwritten28, label %after27

overwritten28:                                    ; preds = %tracked26
  %291 = load i32, ptr addrspace(1) %structure, align 4
  %292 = icmp eq i32 %291, 1
  %293 = icmp eq i1 %292, false
  %294 = and i1 %290, %293
  br i1 %294, label %race30, label %after29

race30:                                           ; preds = %overwritten28
  %295 = call i64 @__mocl3_local_id(i32 0)
  %296 = call i64 @__mocl3_local_id(i32 1)
  %297 = call i64 @__mocl3_local_id(i32 2)
  %298 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %298, i64 2, i64 1, i64 %202, i64 4, i64 %287, i64 %295, i64 %296, i64 %297)
  br label %after29

after29:                                          ; preds = %race30, %overwritten28
  br label %after27

after27:                                          ; preds = %after29, %tracked26
  br label %after31

after31:                                          ; preds = %after27, %after25
  %299 = mul i64 %item, 8
  %300 = add i64 4, %299
  %301 = call i64 @__mocl3_argument_bytes(i32 14)
  %302 = call i64 @__mocl3_argument_bytes(i32 19)
  %303 = icmp ne i64 %301, 0
  %304 = inttoptr i64 %301 to ptr addrspace(1)
  %305 = inttoptr i64 %302 to ptr addrspace(1)
  %306 = mul i64 %300, 2
  %307 = getelementptr inbounds i8, ptr addrspace(1) %304, i64 %306
  %308 = getelementptr inbounds i8, ptr addrspace(1) %305, i64 %306
  %309 = load i32, ptr %global_phase, align 4
  %310 = zext i32 %309 to i64
  %311 = call i64 @__mocl3_group_id(i32 0)
  %312 = call i64 @__mocl3_group_id(i32 1)
  %313 = call i64 @__mocl3_group_id(i32 2)
  %314 = call i64 @__mocl3_num_groups(i32 0)
  %315 = call i64 @__mocl3_num_groups(i32 1)
  %316 = call i64 @__mocl3_num_groups(i32 2)
  %317 = mul i64 %315, %313
  %318 = add i64 %312, %317
  %319 = mul i64 %314, %318
  %320 = add i64 %311, %319
  %321 = urem i64 %320, 65521
  %322 = add i64 %321, 1
  %323 = mul i64 %322, 281474976710656
  %324 = and i64 %323, -281474976710656
  %325 = mul i64 %310, 268435456
  %326 = and i64 %325, 281474708275200
  %327 = or i64 196608, %324
  %328 = or i64 %327, %326
  %329 = call i64 @__mocl3_local_size(i32 0)
  %330 = call i64 @__mocl3_local_size(i32 1)
  %331 = call i64 @__mocl3_local_size(i32 2)
  %332 = call i64 @__mocl3_local_id(i32 0)
  %333 = call i64 @__mocl3_local_id(i32 1)
  %334 = call i64 @__mocl3_local_id(i32 2)
  %335 = mul i64 %330, %334
  %336 = add i64 %333, %335
  %337 = mul i64 %329, %336
  %338 = add i64 %332, %337
  %339 = mul i64 %338, 8
  %340 = and i64 %339, 65528
  %341 = or i64 %328, %340
  %342 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %303, label %tracked32, label %after39

tracked32:                                        ; preds = %after31
  %343 = load i64, ptr addrspace(1) %307, align 8
  %344 = load i64, ptr addrspace(1) %308, align 8
  %345 = xor i64 %343, %341
  %346 = and i64 %345, 65529
  %347 = icmp ne i64 %346, 0
  %348 = icmp ne i64 %343, 0
  %349 = xor i64 %343, %328
  %350 = and i64 %349, 281474708275200
  %351 = icmp eq i64 %350, 0
  %352 = and i1 %351, %347
  %353 = xor i64 %343, %328
  %354 = and i64 %353, -281474976710654
  %355 = icmp ne i64 %354, 0
  %356 = or i1 %355, %352
  %357 = and i1 %348, %356
  %358 = xor i64 %344, %341
  %359 = and i64 %358, 65529
  %360 = icmp ne i64 %359, 0
  %361 = icmp ne i64 %344, 0
  %362 = xor i64 %344, %328
  %363 = and i64 %362, 281474708275200
  %364 = icmp eq i64 %363, 0
  %365 = and i1 %364, %360
  %366 = xor i64 %344, %328
  %367 = and i64 %366, -281474976710654
  %368 = icmp ne i64 %367, 0
  %369 = or i1 %368, %365
  %370 = and i1 %361, %369
  %371 = or i1 %357, %370
  br i1 %371, label %conflict34, label %after33

conflict34:                                       ; preds = %tracked32
  %372 = load i32, ptr addrspace(1) %field, align 4
  %373 = icmp eq i32 %372, 2
  %374 = icmp eq i1 %373, false
  %375 = and i1 %357, %374
  br i1 %375, label %race36, label %after35

race36:                                           ; preds = %conflict34
  %376 = call i64 @__mocl3_local_id(i32 0)
  %377 = call i64 @__mocl3_local_id(i32 1)
  %378 = call i64 @__mocl3_local_id(i32 2)
  %379 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %379, i64 3, i64 1, i64 %300, i64 4, i64 %343, i64 %376, i64 %377, i64 %378)
  br label %after35

after35:                                          ; preds = %race36, %conflict34
  br i1 %370, label %race38, label %after37

race38:                                           ; preds = %after35
  %380 = call i64 @__mocl3_local_id(i32 0)
  %381 = call i64 @__mocl3_local_id(i32 1)
  %382 = call i64 @__mocl3_local_id(i32 2)
  %383 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %383, i64 3, i64 1, i64 %300, i64 4, i64 %344, i64 %380, i64 %381, i64 %382)
  br label %after37

after37:                                          ; preds = %race38, %after35
  br label %after33

after33:                                          ; preds = %after37, %tracked32
  br label %after39

after39:                                          ; preds = %after33, %after31
  store i32 2, ptr addrspace(1) %field, align 4
  br i1 %303, label %tracked40, label %after45

tracked40:                                        ; preds = %after39
  store i64 %341, ptr addrspace(1) %307, align 8
  %384 = getelementptr inbounds i8, ptr addrspace(1) %307, i64 %342
  %385 = load i64, ptr addrspace(1) %384, align 8
  %386 = xor i64 %385, %341
  %387 = and i64 %386, 65528
  %388 = icmp ne i64 %387, 0
  br i1 %388, label %overwritten42, label %after41

overwritten42:                                    ; preds = %tracked40
  %389 = load i32, ptr addrspace(1) %field, align 4
  %390 = icmp eq i32 %389, 2
  %391 = icmp eq i1 %390, false
  %392 = and i1 %388, %391
  br i1 %392, label %race44, label %after43

race44:                                           ; preds = %overwritten42
  %393 = call i64 @__mocl3_local_id(i32 0)
  %394 = call i64 @__mocl3_local_id(i32 1)
  %395 = call i64 @__mocl3_local_id(i32 2)
  %396 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %396, i64 3, i64 1, i64 %300, i64 4, i64 %385, i64 %393, i64 %394, i64 %395)
  br label %after43

after43:                                          ; preds = %race44, %overwritten42
  br label %after41

after41:                                          ; preds = %after43, %tracked40
  br label %after45

after45:                                          ; preds = %after41, %after39
  %half = lshr i64 %x, 1
  %shared = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %half
  %397 = mul i64 %half, 4
  %398 = add i64 0, %397
  %399 = call i64 @__mocl3_argument_bytes(i32 15)
  %400 = call i64 @__mocl3_argument_bytes(i32 20)
  %401 = inttoptr i64 %399 to ptr addrspace(1)
  %402 = inttoptr i64 %400 to ptr addrspace(1)
  %403 = mul i64 %398, 2
  %404 = getelementptr inbounds i8, ptr addrspace(1) %401, i64 %403
  %405 = getelementptr inbounds i8, ptr addrspace(1) %402, i64 %403
  %406 = load i32, ptr %global_phase, align 4
  %407 = zext i32 %406 to i64
  %408 = call i64 @__mocl3_group_id(i32 0)
  %409 = call i64 @__mocl3_group_id(i32 1)
  %410 = call i64 @__mocl3_group_id(i32 2)
  %411 = call i64 @__mocl3_num_groups(i32 0)
  %412 = call i64 @__mocl3_num_groups(i32 1)
  %413 = call i64 @__mocl3_num_groups(i32 2)
  %414 = mul i64 %412, %410
  %415 = add i64 %409, %414
  %416 = mul i64 %411, %415
  %417 = add i64 %408, %416
  %418 = urem i64 %417, 65521
  %419 = add i64 %418, 1
  %420 = mul i64 %419, 281474976710656
  %421 = and i64 %420, -281474976710656
  %422 = mul i64 %407, 268435456
  %423 = and i64 %422, 281474708275200
  %424 = or i64 262144, %421
  %425 = or i64 %424, %423
  %426 = call i64 @__mocl3_local_size(i32 0)
  %427 = call i64 @__mocl3_local_size(i32 1)
  %428 = call i64 @__mocl3_local_size(i32 2)
  %429 = call i64 @__mocl3_local_id(i32 0)
  %430 = call i64 @__mocl3_local_id(i32 1)
  %431 = call i64 @__mocl3_local_id(i32 2)
  %432 = mul i64 %427, %431
  %433 = add i64 %430, %432
  %434 = mul i64 %426, %433
  %435 = add i64 %429, %434
  %436 = mul i64 %435, 8
  %437 = and i64 %436, 65528
  %438 = or i64 %425, %437
  %439 = call i64 @__mocl3_argument_bytes(i32 23)
  %440 = load i64, ptr addrspace(1) %404, align 8
  %441 = load i64, ptr addrspace(1) %405, align 8
  %442 = xor i64 %440, %438
  %443 = and i64 %442, 65529
  %444 = icmp ne i64 %443, 0
  %445 = icmp ne i64 %440, 0
  %446 = xor i64 %440, %425
  %447 = and i64 %446, 281474708275200
  %448 = icmp eq i64 %447, 0
  %449 = and i1 %448, %444
  %450 = xor i64 %440, %425
  %451 = and i64 %450, -281474976710654
  %452 = icmp ne i64 %451, 0
  %453 = or i1 %452, %449
  %454 = and i1 %445, %453
  %455 = xor i64 %441, %438
  %456 = and i64 %455, 65529
  %457 = icmp ne i64 %456, 0
  %458 = icmp ne i64 %441, 0
  %459 = xor i64 %441, %425
  %460 = and i64 %459, 281474708275200
  %461 = icmp eq i64 %460, 0
  %462 = and i1 %461, %457
  %463 = xor i64 %441, %425
  %464 = and i64 %463, -281474976710654
  %465 = icmp ne i64 %464, 0
  %466 = or i1 %465, %462
  %467 = and i1 %458, %466
  %468 = or i1 %454, %467
  br i1 %468, label %conflict46, label %after51

conflict46:                                       ; preds = %after45
  %469 = load i32, ptr addrspace(1) %shared, align 4
  %470 = icmp eq i32 %469, 3
  %471 = icmp eq i1 %470, false
  %472 = and i1 %454, %471
  br i1 %472, label %race48, label %after47

race48:                                           ; preds = %conflict46
  %473 = call i64 @__mocl3_local_id(i32 0)
  %474 = call i64 @__mocl3_local_id(i32 1)
  %475 = call i64 @__mocl3_local_id(i32 2)
  %476 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %476, i64 4, i64 2, i64 %398, i64 4, i64 %440, i64 %473, i64 %474, i64 %475)
  br label %after47

after47:                                          ; preds = %race48, %conflict46
  br i1 %467, label %race50, label %after49

race50:                                           ; preds = %after47
  %477 = call i64 @__mocl3_local_id(i32 0)
  %478 = call i64 @__mocl3_local_id(i32 1)
  %479 = call i64 @__mocl3_local_id(i32 2)
  %480 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %480, i64 4, i64 2, i64 %398, i64 4, i64 %441, i64 %477, i64 %478, i64 %479)
  br label %after49

after49:                                          ; preds = %race50, %after47
  br label %after51

after51:                                          ; preds = %after49, %after45
  store i32 3, ptr addrspace(1) %shared, align 4
  store i64 %438, ptr addrspace(1) %404, align 8
  %481 = getelementptr inbounds i8, ptr addrspace(1) %404, i64 %439
  %482 = load i64, ptr addrspace(1) %481, align 8
  %483 = xor i64 %482, %438
  %484 = and i64 %483, 65528
  %485 = icmp ne i64 %484, 0
  br i1 %485, label %overwritten52, label %after

overwritten52:                                    ; preds = %after51
  %486 = load i32, ptr addrspace(1) %shared, align 4
  %487 = icmp eq i32 %486, 3
  %488 = icmp eq i1 %487, false
  %489 = and i1 %485, %488
  br i1 %489, label %race54, label %after53

race54:                                           ; preds = %overwritten52
  %490 = call i64 @__mocl3_local_id(i32 0)
  %491 = call i64 @__mocl3_local_id(i32 1)
  %492 = call i64 @__mocl3_local_id(i32 2)
  %493 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %493, i64 4, i64 2, i64 %398, i64 4, i64 %482, i64 %490, i64 %491, i64 %492)
  br label %after53

after53:                                          ; preds = %race54, %overwritten52
  br label %after

after:                                            ; preds = %after53, %after51
  ret void
}

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_argument_bytes(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @__mocl3_num_groups(i32) #0

; Function Attrs: nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @__mocl3_group_context() #0

; Function Attrs: cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__mocl3_race_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
