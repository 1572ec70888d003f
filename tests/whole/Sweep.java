// Sweep.java - java Sweep N: sums 2^20 numbers up, 2^17 lines, N times, in machine code that HotSpot makes.
// SPDX-License-Identifier: GPL-3.0-or-later
public class Sweep {
    static double sweep(double[] x) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) sum += x[i];
        return sum;
    }

    public static void main(String[] words) {
        double[] x = new double[1 << 20];
        double sum = 0;
        for (int n = Integer.parseInt(words[0]); n > 0; n--) sum += sweep(x);
        System.out.println(sum);
    }
}
