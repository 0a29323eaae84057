//! Conditions of lanes as bits of integers: whether any lane fulfils one, or all do, and single lanes.

use super::WideMasks;
use super::users::reduction;
use crate::ir::{Opcode, Type, Value};

impl WideMasks {
    /// Has users of the bits of a condition take those of the wide one.
    pub fn write_bits(&self, wide: Value, users: &[Value]) {
        match users {
            [] => {}
            [bits] if self.reduce(*bits, wide) => {}
            _ => {
                self.after(wide);
                let all = self.all_bits(wide);
                for user in users {
                    self.b.before(*user);
                    let bits = match user.is(Opcode::LLVMExtractElement) {
                        true => {
                            let lane = user.operand(1).as_integer().expect("it is a constant");
                            let lane = all.ty().constant(lane);
                            let shifted = self.b.binary(Opcode::LLVMLShr, all, lane);
                            self.b.truncate(shifted, user.ty())
                        }
                        false => all,
                    };
                    user.replace_all_uses_with(bits);
                    user.erase();
                }
            }
        }
    }

    /// Has users that compare all bits with those of no lane, or of all lanes, compare those of all registers together;
    /// whether there are only such.
    fn reduce(&self, bits: Value, wide: Value) -> bool {
        let b = &self.b;
        let Some(opcode) = reduction(bits) else {
            return false;
        };
        b.before(bits);
        let registers = self.registers_of(wide).into_iter();
        let all = registers.reduce(|all, register| b.binary(opcode, all, register));
        let all = self.bits_of(all.expect("there are registers"));
        for user in bits.users() {
            let number = match opcode {
                Opcode::LLVMOr => all.ty().zero(),
                _ => all.ty().all_ones(),
            };
            b.before(user);
            let compared = b.compare(user.predicate(), all, number);
            user.replace_all_uses_with(compared);
            user.erase();
        }
        bits.erase();
        true
    }

    /// The bits of a condition, lane 0's the lowest.
    fn all_bits(&self, wide: Value) -> Value {
        let b = &self.b;
        let ty = Type::integer(b.context, wide.ty().vector_elements().1);
        let registers = self.registers_of(wide).into_iter();
        let mut place = 0;
        let shifted = registers.map(|register| {
            let part = b.zero_extend(self.bits_of(register), ty);
            let part = b.binary(Opcode::LLVMShl, part, ty.constant(place));
            place += u64::from(register.ty().vector_elements().1);
            part
        });
        let all = shifted.reduce(|all, part| b.binary(Opcode::LLVMOr, all, part));
        all.expect("there are registers")
    }

    /// The parts of a wide condition that are in one register each.
    fn registers_of(&self, wide: Value) -> Vec<Value> {
        let (element, lanes) = wide.ty().vector_elements();
        let each = self.register_bits / element.integer_bits();
        let starts = (0..lanes).step_by(each as usize);
        let register = |start| {
            let elements: Vec<u32> = (start..start + each).collect();
            self.b.shuffle(wide, wide.ty().poison(), &elements)
        };
        starts.map(register).collect()
    }

    /// The condition of a register's lanes as an integer.
    fn bits_of(&self, register: Value) -> Value {
        let lanes = register.ty().vector_elements().1;
        let bits = Type::integer(self.b.context, lanes);
        self.b.bit_cast(self.narrow(register), bits)
    }
}
