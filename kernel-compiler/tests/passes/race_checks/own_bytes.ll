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
; granules of 4 and 8 bytes, written arguments [0, 1, 2], race-free [argument 0: OwnBytes { strides: [(Global(0), [Product { constant: 4, factors: [] }]), (Global(1), [Product { constant: 4, factors: [Argument(0, 8)] }])], bytes: 4 }, argument 1: OwnBytes { strides: [(Local(0), [Product { constant: 8, factors: [] }]), (Group(0), [Product { constant: 8, factors: [LocalSize(0)] }])], bytes: 8 }]

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
  call void @__mocl3_race_finding(ptr %70, i64 0, i64 0, i64 %1, i64 4, i64 %44, i64 0, i64 %67, i64 %68, i64 %69)
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
  %182 = bitcast float %value to i32
  %183 = zext i32 %182 to i64
  call void @__mocl3_race_finding(ptr %181, i64 1, i64 0, i64 %100, i64 4, i64 %143, i64 %183, i64 %178, i64 %179, i64 %180)
  br label %after8

after8:                                           ; preds = %race9, %conflict
  br i1 %170, label %race11, label %after10

race11:                                           ; preds = %after8
  %184 = call i64 @__mocl3_local_id(i32 0)
  %185 = call i64 @__mocl3_local_id(i32 1)
  %186 = call i64 @__mocl3_local_id(i32 2)
  %187 = call ptr @__mocl3_group_context()
  %188 = bitcast float %value to i32
  %189 = zext i32 %188 to i64
  call void @__mocl3_race_finding(ptr %187, i64 1, i64 0, i64 %100, i64 4, i64 %144, i64 %189, i64 %184, i64 %185, i64 %186)
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
  %190 = getelementptr inbounds i8, ptr addrspace(1) %107, i64 %142
  %191 = load i64, ptr addrspace(1) %190, align 8
  %192 = xor i64 %191, %141
  %193 = and i64 %192, 65528
  %194 = icmp ne i64 %193, 0
  br i1 %194, label %overwritten, label %after14

overwritten:                                      ; preds = %tracked13
  %195 = load float, ptr addrspace(1) %element, align 4
  %196 = bitcast float %195 to i32
  %197 = bitcast float %value to i32
  %198 = icmp eq i32 %196, %197
  %199 = icmp eq i1 %198, false
  %200 = and i1 %194, %199
  br i1 %200, label %race16, label %after15

race16:                                           ; preds = %overwritten
  %201 = call i64 @__mocl3_local_id(i32 0)
  %202 = call i64 @__mocl3_local_id(i32 1)
  %203 = call i64 @__mocl3_local_id(i32 2)
  %204 = call ptr @__mocl3_group_context()
  %205 = bitcast float %value to i32
  %206 = zext i32 %205 to i64
  call void @__mocl3_race_finding(ptr %204, i64 1, i64 0, i64 %100, i64 4, i64 %191, i64 %206, i64 %201, i64 %202, i64 %203)
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
  %207 = mul i64 %item, 8
  %208 = add i64 0, %207
  %209 = call i64 @__mocl3_argument_bytes(i32 14)
  %210 = call i64 @__mocl3_argument_bytes(i32 19)
  %211 = icmp ne i64 %209, 0
  %212 = inttoptr i64 %209 to ptr addrspace(1)
  %213 = inttoptr i64 %210 to ptr addrspace(1)
  %214 = mul i64 %208, 2
  %215 = getelementptr inbounds i8, ptr addrspace(1) %212, i64 %214
  %216 = getelementptr inbounds i8, ptr addrspace(1) %213, i64 %214
  %217 = load i32, ptr %global_phase, align 4
  %218 = zext i32 %217 to i64
  %219 = call i64 @__mocl3_group_id(i32 0)
  %220 = call i64 @__mocl3_group_id(i32 1)
  %221 = call i64 @__mocl3_group_id(i32 2)
  %222 = call i64 @__mocl3_num_groups(i32 0)
  %223 = call i64 @__mocl3_num_groups(i32 1)
  %224 = call i64 @__mocl3_num_groups(i32 2)
  %225 = mul i64 %223, %221
  %226 = add i64 %220, %225
  %227 = mul i64 %222, %226
  %228 = add i64 %219, %227
  %229 = urem i64 %228, 65521
  %230 = add i64 %229, 1
  %231 = mul i64 %230, 281474976710656
  %232 = and i64 %231, -281474976710656
  %233 = mul i64 %218, 268435456
  %234 = and i64 %233, 281474708275200
  %235 = or i64 131072, %232
  %236 = or i64 %235, %234
  %237 = call i64 @__mocl3_local_size(i32 0)
  %238 = call i64 @__mocl3_local_size(i32 1)
  %239 = call i64 @__mocl3_local_size(i32 2)
  %240 = call i64 @__mocl3_local_id(i32 0)
  %241 = call i64 @__mocl3_local_id(i32 1)
  %242 = call i64 @__mocl3_local_id(i32 2)
  %243 = mul i64 %238, %242
  %244 = add i64 %241, %243
  %245 = mul i64 %237, %244
  %246 = add i64 %240, %245
  %247 = mul i64 %246, 8
  %248 = and i64 %247, 65528
  %249 = or i64 %236, %248
  %250 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %211, label %tracked18, label %after25

tracked18:                                        ; preds = %after17
  %251 = load i64, ptr addrspace(1) %215, align 8
  %252 = load i64, ptr addrspace(1) %216, align 8
  %253 = xor i64 %251, %249
  %254 = and i64 %253, 65529
  %255 = icmp ne i64 %254, 0
  %256 = icmp ne i64 %251, 0
  %257 = xor i64 %251, %236
  %258 = and i64 %257, 281474708275200
  %259 = icmp eq i64 %258, 0
  %260 = and i1 %259, %255
  %261 = xor i64 %251, %236
  %262 = and i64 %261, -281474976710654
  %263 = icmp ne i64 %262, 0
  %264 = or i1 %263, %260
  %265 = and i1 %256, %264
  %266 = xor i64 %252, %249
  %267 = and i64 %266, 65529
  %268 = icmp ne i64 %267, 0
  %269 = icmp ne i64 %252, 0
  %270 = xor i64 %252, %236
  %271 = and i64 %270, 281474708275200
  %272 = icmp eq i64 %271, 0
  %273 = and i1 %272, %268
  %274 = xor i64 %252, %236
  %275 = and i64 %274, -281474976710654
  %276 = icmp ne i64 %275, 0
  %277 = or i1 %276, %273
  %278 = and i1 %269, %277
  %279 = or i1 %265, %278
  br i1 %279, label %conflict20, label %after19

conflict20:                                       ; preds = %tracked18
  %280 = load i32, ptr addrspace(1) %structure, align 4
  %281 = icmp eq i32 %280, 1
  %282 = icmp eq i1 %281, false
  %283 = and i1 %265, %282
  br i1 %283, label %race22, label %after21

race22:                                           ; preds = %conflict20
  %284 = call i64 @__mocl3_local_id(i32 0)
  %285 = call i64 @__mocl3_local_id(i32 1)
  %286 = call i64 @__mocl3_local_id(i32 2)
  %287 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %287, i64 2, i64 1, i64 %208, i64 4, i64 %251, i64 1, i64 %284, i64 %285, i64 %286)
  br label %after21

after21:                                          ; preds = %race22, %conflict20
  br i1 %278, label %race24, label %after23

race24:                                           ; preds = %after21
  %288 = call i64 @__mocl3_local_id(i32 0)
  %289 = call i64 @__mocl3_local_id(i32 1)
  %290 = call i64 @__mocl3_local_id(i32 2)
  %291 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %291, i64 2, i64 1, i64 %208, i64 4, i64 %252, i64 1, i64 %288, i64 %289, i64 %290)
  br label %after23

after23:                                          ; preds = %race24, %after21
  br label %after19

after19:                                          ; preds = %after23, %tracked18
  br label %after25

after25:                                          ; preds = %after19, %after17
  store i32 1, ptr addrspace(1) %structure, align 4
  br i1 %211, label %tracked26, label %after31

tracked26:                                        ; preds = %after25
  store i64 %249, ptr addrspace(1) %215, align 8
  %292 = getelementptr inbounds i8, ptr addrspace(1) %215, i64 %250
  %293 = load i64, ptr addrspace(1) %292, align 8
  %294 = xor i64 %293, %249
  %295 = and i64 %294, 65528
  %296 = icmp ne i64 %295, 0
  br i1 %296, label %overwritten28, label %after27

overwritten28:                                    ; preds = %tracked26
  %297 = load i32, ptr addrspace(1) %structure, align 4
  %298 = icmp eq i32 %297, 1
  %299 = icmp eq i1 %298, false
  %300 = and i1 %296, %299
  br i1 %300, label %race30, label %after29

race30:                                           ; preds = %overwritten28
  %301 = call i64 @__mocl3_local_id(i32 0)
  %302 = call i64 @__mocl3_local_id(i32 1)
  %303 = call i64 @__mocl3_local_id(i32 2)
  %304 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %304, i64 2, i64 1, i64 %208, i64 4, i64 %293, i64 1, i64 %301, i64 %302, i64 %303)
  br label %after29

after29:                                          ; preds = %race30, %overwritten28
  br label %after27

after27:                                          ; preds = %after29, %tracked26
  br label %after31

after31:                                          ; preds = %after27, %after25
  %305 = mul i64 %item, 8
  %306 = add i64 4, %305
  %307 = call i64 @__mocl3_argument_bytes(i32 14)
  %308 = call i64 @__mocl3_argument_bytes(i32 19)
  %309 = icmp ne i64 %307, 0
  %310 = inttoptr i64 %307 to ptr addrspace(1)
  %311 = inttoptr i64 %308 to ptr addrspace(1)
  %312 = mul i64 %306, 2
  %313 = getelementptr inbounds i8, ptr addrspace(1) %310, i64 %312
  %314 = getelementptr inbounds i8, ptr addrspace(1) %311, i64 %312
  %315 = load i32, ptr %global_phase, align 4
  %316 = zext i32 %315 to i64
  %317 = call i64 @__mocl3_group_id(i32 0)
  %318 = call i64 @__mocl3_group_id(i32 1)
  %319 = call i64 @__mocl3_group_id(i32 2)
  %320 = call i64 @__mocl3_num_groups(i32 0)
  %321 = call i64 @__mocl3_num_groups(i32 1)
  %322 = call i64 @__mocl3_num_groups(i32 2)
  %323 = mul i64 %321, %319
  %324 = add i64 %318, %323
  %325 = mul i64 %320, %324
  %326 = add i64 %317, %325
  %327 = urem i64 %326, 65521
  %328 = add i64 %327, 1
  %329 = mul i64 %328, 281474976710656
  %330 = and i64 %329, -281474976710656
  %331 = mul i64 %316, 268435456
  %332 = and i64 %331, 281474708275200
  %333 = or i64 196608, %330
  %334 = or i64 %333, %332
  %335 = call i64 @__mocl3_local_size(i32 0)
  %336 = call i64 @__mocl3_local_size(i32 1)
  %337 = call i64 @__mocl3_local_size(i32 2)
  %338 = call i64 @__mocl3_local_id(i32 0)
  %339 = call i64 @__mocl3_local_id(i32 1)
  %340 = call i64 @__mocl3_local_id(i32 2)
  %341 = mul i64 %336, %340
  %342 = add i64 %339, %341
  %343 = mul i64 %335, %342
  %344 = add i64 %338, %343
  %345 = mul i64 %344, 8
  %346 = and i64 %345, 65528
  %347 = or i64 %334, %346
  %348 = call i64 @__mocl3_argument_bytes(i32 23)
  br i1 %309, label %tracked32, label %after39

tracked32:                                        ; preds = %after31
  %349 = load i64, ptr addrspace(1) %313, align 8
  %350 = load i64, ptr addrspace(1) %314, align 8
  %351 = xor i64 %349, %347
  %352 = and i64 %351, 65529
  %353 = icmp ne i64 %352, 0
  %354 = icmp ne i64 %349, 0
  %355 = xor i64 %349, %334
  %356 = and i64 %355, 281474708275200
  %357 = icmp eq i64 %356, 0
  %358 = and i1 %357, %353
  %359 = xor i64 %349, %334
  %360 = and i64 %359, -281474976710654
  %361 = icmp ne i64 %360, 0
  %362 = or i1 %361, %358
  %363 = and i1 %354, %362
  %364 = xor i64 %350, %347
  %365 = and i64 %364, 65529
  %366 = icmp ne i64 %365, 0
  %367 = icmp ne i64 %350, 0
  %368 = xor i64 %350, %334
  %369 = and i64 %368, 281474708275200
  %370 = icmp eq i64 %369, 0
  %371 = and i1 %370, %366
  %372 = xor i64 %350, %334
  %373 = and i64 %372, -281474976710654
  %374 = icmp ne i64 %373, 0
  %375 = or i1 %374, %371
  %376 = and i1 %367, %375
  %377 = or i1 %363, %376
  br i1 %377, label %conflict34, label %after33

conflict34:                                       ; preds = %tracked32
  %378 = load i32, ptr addrspace(1) %field, align 4
  %379 = icmp eq i32 %378, 2
  %380 = icmp eq i1 %379, false
  %381 = and i1 %363, %380
  br i1 %381, label %race36, label %after35

race36:                                           ; preds = %conflict34
  %382 = call i64 @__mocl3_local_id(i32 0)
  %383 = call i64 @__mocl3_local_id(i32 1)
  %384 = call i64 @__mocl3_local_id(i32 2)
  %385 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %385, i64 3, i64 1, i64 %306, i64 4, i64 %349, i64 2, i64 %382, i64 %383, i64 %384)
  br label %after35

after35:                                          ; preds = %race36, %conflict34
  br i1 %376, label %race38, label %after37

race38:                                           ; preds = %after35
  %386 = call i64 @__mocl3_local_id(i32 0)
  %387 = call i64 @__mocl3_local_id(i32 1)
  %388 = call i64 @__mocl3_local_id(i32 2)
  %389 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %389, i64 3, i64 1, i64 %306, i64 4, i64 %350, i64 2, i64 %386, i64 %387, i64 %388)
  br label %after37

after37:                                          ; preds = %race38, %after35
  br label %after33

after33:                                          ; preds = %after37, %tracked32
  br label %after39

after39:                                          ; preds = %after33, %after31
  store i32 2, ptr addrspace(1) %field, align 4
  br i1 %309, label %tracked40, label %after45

tracked40:                                        ; preds = %after39
  store i64 %347, ptr addrspace(1) %313, align 8
  %390 = getelementptr inbounds i8, ptr addrspace(1) %313, i64 %348
  %391 = load i64, ptr addrspace(1) %390, align 8
  %392 = xor i64 %391, %347
  %393 = and i64 %392, 65528
  %394 = icmp ne i64 %393, 0
  br i1 %394, label %overwritten42, label %after41

overwritten42:                                    ; preds = %tracked40
  %395 = load i32, ptr addrspace(1) %field, align 4
  %396 = icmp eq i32 %395, 2
  %397 = icmp eq i1 %396, false
  %398 = and i1 %394, %397
  br i1 %398, label %race44, label %after43

race44:                                           ; preds = %overwritten42
  %399 = call i64 @__mocl3_local_id(i32 0)
  %400 = call i64 @__mocl3_local_id(i32 1)
  %401 = call i64 @__mocl3_local_id(i32 2)
  %402 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %402, i64 3, i64 1, i64 %306, i64 4, i64 %391, i64 2, i64 %399, i64 %400, i64 %401)
  br label %after43

after43:                                          ; preds = %race44, %overwritten42
  br label %after41

after41:                                          ; preds = %after43, %tracked40
  br label %after45

after45:                                          ; preds = %after41, %after39
  %half = lshr i64 %x, 1
  %shared = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %half
  %403 = mul i64 %half, 4
  %404 = add i64 0, %403
  %405 = call i64 @__mocl3_argument_bytes(i32 15)
  %406 = call i64 @__mocl3_argument_bytes(i32 20)
  %407 = inttoptr i64 %405 to ptr addrspace(1)
  %408 = inttoptr i64 %406 to ptr addrspace(1)
  %409 = mul i64 %404, 2
  %410 = getelementptr inbounds i8, ptr addrspace(1) %407, i64 %409
  %411 = getelementptr inbounds i8, ptr addrspace(1) %408, i64 %409
  %412 = load i32, ptr %global_phase, align 4
  %413 = zext i32 %412 to i64
  %414 = call i64 @__mocl3_group_id(i32 0)
  %415 = call i64 @__mocl3_group_id(i32 1)
  %416 = call i64 @__mocl3_group_id(i32 2)
  %417 = call i64 @__mocl3_num_groups(i32 0)
  %418 = call i64 @__mocl3_num_groups(i32 1)
  %419 = call i64 @__mocl3_num_groups(i32 2)
  %420 = mul i64 %418, %416
  %421 = add i64 %415, %420
  %422 = mul i64 %417, %421
  %423 = add i64 %414, %422
  %424 = urem i64 %423, 65521
  %425 = add i64 %424, 1
  %426 = mul i64 %425, 281474976710656
  %427 = and i64 %426, -281474976710656
  %428 = mul i64 %413, 268435456
  %429 = and i64 %428, 281474708275200
  %430 = or i64 262144, %427
  %431 = or i64 %430, %429
  %432 = call i64 @__mocl3_local_size(i32 0)
  %433 = call i64 @__mocl3_local_size(i32 1)
  %434 = call i64 @__mocl3_local_size(i32 2)
  %435 = call i64 @__mocl3_local_id(i32 0)
  %436 = call i64 @__mocl3_local_id(i32 1)
  %437 = call i64 @__mocl3_local_id(i32 2)
  %438 = mul i64 %433, %437
  %439 = add i64 %436, %438
  %440 = mul i64 %432, %439
  %441 = add i64 %435, %440
  %442 = mul i64 %441, 8
  %443 = and i64 %442, 65528
  %444 = or i64 %431, %443
  %445 = call i64 @__mocl3_argument_bytes(i32 23)
  %446 = load i64, ptr addrspace(1) %410, align 8
  %447 = load i64, ptr addrspace(1) %411, align 8
  %448 = xor i64 %446, %444
  %449 = and i64 %448, 65529
  %450 = icmp ne i64 %449, 0
  %451 = icmp ne i64 %446, 0
  %452 = xor i64 %446, %431
  %453 = and i64 %452, 281474708275200
  %454 = icmp eq i64 %453, 0
  %455 = and i1 %454, %450
  %456 = xor i64 %446, %431
  %457 = and i64 %456, -281474976710654
  %458 = icmp ne i64 %457, 0
  %459 = or i1 %458, %455
  %460 = and i1 %451, %459
  %461 = xor i64 %447, %444
  %462 = and i64 %461, 65529
  %463 = icmp ne i64 %462, 0
  %464 = icmp ne i64 %447, 0
  %465 = xor i64 %447, %431
  %466 = and i64 %465, 281474708275200
  %467 = icmp eq i64 %466, 0
  %468 = and i1 %467, %463
  %469 = xor i64 %447, %431
  %470 = and i64 %469, -281474976710654
  %471 = icmp ne i64 %470, 0
  %472 = or i1 %471, %468
  %473 = and i1 %464, %472
  %474 = or i1 %460, %473
  br i1 %474, label %conflict46, label %after51

conflict46:                                       ; preds = %after45
  %475 = load i32, ptr addrspace(1) %shared, align 4
  %476 = icmp eq i32 %475, 3
  %477 = icmp eq i1 %476, false
  %478 = and i1 %460, %477
  br i1 %478, label %race48, label %after47

race48:                                           ; preds = %conflict46
  %479 = call i64 @__mocl3_local_id(i32 0)
  %480 = call i64 @__mocl3_local_id(i32 1)
  %481 = call i64 @__mocl3_local_id(i32 2)
  %482 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %482, i64 4, i64 2, i64 %404, i64 4, i64 %446, i64 3, i64 %479, i64 %480, i64 %481)
  br label %after47

after47:                                          ; preds = %race48, %conflict46
  br i1 %473, label %race50, label %after49

race50:                                           ; preds = %after47
  %483 = call i64 @__mocl3_local_id(i32 0)
  %484 = call i64 @__mocl3_local_id(i32 1)
  %485 = call i64 @__mocl3_local_id(i32 2)
  %486 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %486, i64 4, i64 2, i64 %404, i64 4, i64 %447, i64 3, i64 %483, i64 %484, i64 %485)
  br label %after49

after49:                                          ; preds = %race50, %after47
  br label %after51

after51:                                          ; preds = %after49, %after45
  store i32 3, ptr addrspace(1) %shared, align 4
  store i64 %444, ptr addrspace(1) %410, align 8
  %487 = getelementptr inbounds i8, ptr addrspace(1) %410, i64 %445
  %488 = load i64, ptr addrspace(1) %487, align 8
  %489 = xor i64 %488, %444
  %490 = and i64 %489, 65528
  %491 = icmp ne i64 %490, 0
  br i1 %491, label %overwritten52, label %after

overwritten52:                                    ; preds = %after51
  %492 = load i32, ptr addrspace(1) %shared, align 4
  %493 = icmp eq i32 %492, 3
  %494 = icmp eq i1 %493, false
  %495 = and i1 %491, %494
  br i1 %495, label %race54, label %after53

race54:                                           ; preds = %overwritten52
  %496 = call i64 @__mocl3_local_id(i32 0)
  %497 = call i64 @__mocl3_local_id(i32 1)
  %498 = call i64 @__mocl3_local_id(i32 2)
  %499 = call ptr @__mocl3_group_context()
  call void @__mocl3_race_finding(ptr %499, i64 4, i64 2, i64 %404, i64 4, i64 %488, i64 3, i64 %496, i64 %497, i64 %498)
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
declare void @__mocl3_race_finding(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64) #1

attributes #0 = { nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { cold nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
