// sweep.js - node sweep.js N: sums 2^20 numbers up, 2^17 lines, N times, in machine code that V8 makes.
// SPDX-License-Identifier: GPL-3.0-or-later
const x = new Float64Array(1 << 20);
function sweep() {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i];
    return sum;
}
let sum = 0;
for (let n = 0; n < Number(process.argv[2]); n++) sum += sweep();
console.log(sum);
