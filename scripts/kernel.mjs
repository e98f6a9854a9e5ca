/**
 * Builds the WebAssembly kernel of the embedder from the text below: `node scripts/kernel.mjs` writes
 * src/drivers/embedding/kernel.wasm, `--check` says whether the file is what this text builds.
 *
 * Weights stay bytes, activations are 16-bit integers with a scale for each row; sums are exact in 32 bits.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const TARGET = new URL('../src/drivers/embedding/kernel.wasm', import.meta.url);

const splat = (x) => `(v128.const f32x4 ${x} ${x} ${x} ${x})`;
const get = (name) => `(local.get ${name})`;
const set = (name, value) => `(local.set ${name} ${value})`;
const add = (name, amount) => set(name, `(i32.add ${get(name)} ${amount})`);
const constant = (n) => `(i32.const ${n})`;
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i)).join('\n');
const vectors = (...names) => names.map((name) => `(local ${name} v128)`).join(' ');
const integers = (...names) => names.map((name) => `(local ${name} i32)`).join(' ');
/** Runs the body and again while `counter`, raised by `step`, is below `end`. */
const loop = (label, counter, step, end, body) =>
  `(loop ${label} ${body}
    (br_if ${label} (i32.lt_u (local.tee ${counter} (i32.add ${get(counter)} ${constant(step)})) ${end})))`;
const lanes = (op, v) =>
  `(${op} (${op} (f32x4.extract_lane 0 ${get(v)}) (f32x4.extract_lane 1 ${get(v)}))
    (${op} (f32x4.extract_lane 2 ${get(v)}) (f32x4.extract_lane 3 ${get(v)})))`;

/** Four vectors in, the sums of their lanes out: transposes while it adds. */
function sums(name, shape) {
  const pair = (a, b) =>
    `(${shape}.add (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 ${get(a)} ${get(b)})
      (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 ${get(a)} ${get(b)}))`;
  return `(func ${name} (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128) ${vectors('$x', '$y')}
    ${set('$x', pair('$a', '$b'))} ${set('$y', pair('$c', '$d'))}
    (${shape}.add (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 ${get('$x')} ${get('$y')})
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 ${get('$x')} ${get('$y')})))`;
}

/**
 * out[i][n] = scale_a[i] * (scale * dot(a[i], b[n]) + min * sum_a[i]) + bias[n], two rows by four columns at a time.
 * a: rows of int16, their number even; b: a row of bytes for each output, their number a multiple of four.
 */
function matmul() {
  const column = (i) => `(i32.add ${get('$pb')} (i32.mul ${get('$K')} ${constant(i)}))`;
  const accumulate = (sum, x) =>
    set(sum, `(i32x4.add ${get(sum)} (i32x4.dot_i16x8_s ${get(x)} ${get('$w')}))`);
  const scaled = (row, offset) => `(f32x4.add ${get('$bias4')} (f32x4.mul
      (f32x4.splat (f32.load offset=${offset} (i32.add ${get('$scaleA')} (i32.shl ${get('$i')} ${constant(2)}))))
      (f32x4.add (f32x4.mul (f32x4.splat ${get('$scale')}) (f32x4.convert_i32x4_s
          (call $sumI ${times(4, (n) => get(`$${row}${n}`))})))
        (f32x4.splat (f32.mul ${get('$min')}
          (f32.load offset=${offset} (i32.add ${get('$sumA')} (i32.shl ${get('$i')} ${constant(2)}))))))))`;
  return `(func (export "matmul") (param $a i32) (param $b i32) (param $out i32) (param $M i32) (param $K i32) (param $N i32)
      (param $scaleA i32) (param $sumA i32) (param $scale f32) (param $min f32) (param $bias i32)
      ${integers('$i', '$n', '$k', '$pa', '$pa2', '$pb', '$p0', '$p1', '$p2', '$p3', '$po')}
      ${vectors('$x', '$y', '$w', '$bias4', '$c0', '$c1', '$c2', '$c3', '$d0', '$d1', '$d2', '$d3')}
    ${loop(
      '$columns',
      '$n',
      4,
      get('$N'),
      `${set('$bias4', `(v128.load (i32.add ${get('$bias')} (i32.shl ${get('$n')} ${constant(2)})))`)}
      ${set('$pb', `(i32.add ${get('$b')} (i32.mul ${get('$n')} ${get('$K')}))`)}
      ${set('$i', constant(0))}
      ${loop(
        '$rows',
        '$i',
        2,
        get('$M'),
        `${set('$pa', `(i32.add ${get('$a')} (i32.shl (i32.mul ${get('$i')} ${get('$K')}) ${constant(1)}))`)}
        ${set('$pa2', `(i32.add ${get('$pa')} (i32.shl ${get('$K')} ${constant(1)}))`)}
        ${times(4, (n) => set(`$p${n}`, column(n)))}
        ${times(4, (n) => `${set(`$c${n}`, '(v128.const i32x4 0 0 0 0)')} ${set(`$d${n}`, '(v128.const i32x4 0 0 0 0)')}`)}
        ${set('$k', constant(0))}
        ${loop(
          '$depth',
          '$k',
          8,
          get('$K'),
          `${set('$x', `(v128.load ${get('$pa')})`)} ${set('$y', `(v128.load ${get('$pa2')})`)}
          ${times(
            4,
            (n) => `${set('$w', `(v128.load8x8_u ${get(`$p${n}`)})`)}
            ${accumulate(`$c${n}`, '$x')} ${accumulate(`$d${n}`, '$y')} ${add(`$p${n}`, constant(8))}`,
          )}
          ${add('$pa', constant(16))} ${add('$pa2', constant(16))}`,
        )}
        ${set('$po', `(i32.add ${get('$out')} (i32.shl (i32.add (i32.mul ${get('$i')} ${get('$N')}) ${get('$n')}) ${constant(2)}))`)}
        (v128.store ${get('$po')} ${scaled('c', 0)})
        (v128.store (i32.add ${get('$po')} (i32.shl ${get('$N')} ${constant(2)})) ${scaled('d', 4)})`,
      )}`,
    )})`;
}

/** The dot products of one row of int16 with many rows of bytes, as whole numbers; four at a time. */
function scan() {
  return `(func (export "scan") (param $q i32) (param $rows i32) (param $out i32) (param $count i32) (param $K i32)
      ${integers('$i', '$k', '$pq', '$p0', '$p1', '$p2', '$p3')} ${vectors('$x', '$c0', '$c1', '$c2', '$c3')}
    ${loop(
      '$four',
      '$i',
      4,
      get('$count'),
      `${set('$pq', get('$q'))} ${set('$p0', get('$rows'))}
      ${times(3, (n) => set(`$p${n + 1}`, `(i32.add ${get(`$p${n}`)} ${get('$K')})`))}
      ${times(4, (n) => set(`$c${n}`, '(v128.const i32x4 0 0 0 0)'))}
      ${set('$k', constant(0))}
      ${loop(
        '$depth',
        '$k',
        8,
        get('$K'),
        `${set('$x', `(v128.load ${get('$pq')})`)} ${add('$pq', constant(16))}
        ${times(
          4,
          (
            n,
          ) => `${set(`$c${n}`, `(i32x4.add ${get(`$c${n}`)} (i32x4.dot_i16x8_s ${get('$x')} (v128.load8x8_u ${get(`$p${n}`)})))`)}
          ${add(`$p${n}`, constant(8))}`,
        )}`,
      )}
      (v128.store ${get('$out')} (call $sumI ${times(4, (n) => get(`$c${n}`))}))
      ${add('$out', constant(16))} ${set('$rows', get('$p3'))}`,
    )})`;
}

/** e^x by 2^n times a polynomial; good to about 1e-7. */
function exponential() {
  const terms = [1.0, Math.LN2, 0.240226507, 0.0555041087, 0.0096181291, 0.0013333558];
  const polynomial = terms.reduceRight(
    (inner, term) =>
      `(f32x4.add ${splat(term)} (f32x4.mul ${get('$f')} ${typeof inner === 'number' ? splat(inner) : inner}))`,
  );
  return `(func $exp (param $x v128) (result v128) ${vectors('$n', '$f')}
    ${set('$x', `(f32x4.mul (f32x4.max ${get('$x')} ${splat(-87)}) ${splat(Math.LOG2E)})`)}
    ${set('$n', `(f32x4.nearest ${get('$x')})`)} ${set('$f', `(f32x4.sub ${get('$x')} ${get('$n')})`)}
    (f32x4.mul ${polynomial} (i32x4.shl (i32x4.add (i32x4.trunc_sat_f32x4_s ${get('$n')})
      (v128.const i32x4 127 127 127 127)) (i32.const 23))))`;
}

/**
 * One attention head of 32 numbers. q, k, v and out already point at the head; rows lie `row` bytes apart; `scores` has
 * room for one row of weights, rounded up to four.
 */
function attention() {
  const dot = (sum, at) => {
    const products = Array.from(
      { length: 8 },
      (_, i) => `(f32x4.mul ${get(`$q${i}`)} (v128.load offset=${i * 16} ${get(at)}))`,
    );
    return set(
      sum,
      products.reduce((all, one) => `(f32x4.add ${all} ${one})`),
    );
  };
  const isKey = `(i32x4.lt_u (i32x4.add (i32x4.splat ${get('$j')}) (v128.const i32x4 0 1 2 3)) (i32x4.splat ${get('$S')}))`;
  return `(func (export "attention") (param $q i32) (param $k i32) (param $v i32) (param $out i32) (param $S i32)
      (param $row i32) (param $scores i32) (param $scale f32)
      ${integers('$i', '$j', '$p', '$p1', '$p2', '$p3', '$ps')} (local $m f32) (local $z f32)
      ${vectors('$max', '$sum', '$w', '$c0', '$c1', '$c2', '$c3', ...Array.from({ length: 8 }, (_, i) => [`$q${i}`, `$o${i}`]).flat())}
    ${loop(
      '$queries',
      '$i',
      1,
      get('$S'),
      `${times(8, (i) => set(`$q${i}`, `(f32x4.mul (f32x4.splat ${get('$scale')}) (v128.load offset=${i * 16} ${get('$q')}))`))}
      ${set('$max', splat(-1e30))} ${set('$j', constant(0))} ${set('$p', get('$k'))} ${set('$ps', get('$scores'))}
      ${loop(
        '$keys',
        '$j',
        4,
        get('$S'),
        `${set('$p1', `(i32.add ${get('$p')} ${get('$row')})`)} ${set('$p2', `(i32.add ${get('$p1')} ${get('$row')})`)}
        ${set('$p3', `(i32.add ${get('$p2')} ${get('$row')})`)}
        ${dot('$c0', '$p')} ${dot('$c1', '$p1')} ${dot('$c2', '$p2')} ${dot('$c3', '$p3')}
        ${set('$w', `(v128.bitselect (call $sumF ${times(4, (n) => get(`$c${n}`))}) ${splat(-1e30)} ${isKey})`)}
        (v128.store ${get('$ps')} ${get('$w')}) ${set('$max', `(f32x4.max ${get('$max')} ${get('$w')})`)}
        ${add('$ps', constant(16))} ${set('$p', `(i32.add ${get('$p3')} ${get('$row')})`)}`,
      )}
      ${set('$m', lanes('f32.max', '$max'))}
      ${set('$sum', splat(0))} ${set('$j', constant(0))} ${set('$ps', get('$scores'))}
      ${loop(
        '$weights',
        '$j',
        4,
        get('$S'),
        `${set('$w', `(call $exp (f32x4.sub (v128.load ${get('$ps')}) (f32x4.splat ${get('$m')})))`)}
        (v128.store ${get('$ps')} ${get('$w')}) ${set('$sum', `(f32x4.add ${get('$sum')} ${get('$w')})`)} ${add('$ps', constant(16))}`,
      )}
      ${set('$z', `(f32.div (f32.const 1) ${lanes('f32.add', '$sum')})`)}
      ${times(8, (i) => set(`$o${i}`, splat(0)))}
      ${set('$j', constant(0))} ${set('$p', get('$v'))} ${set('$ps', get('$scores'))}
      ${loop(
        '$values',
        '$j',
        1,
        get('$S'),
        `${set('$w', `(f32x4.splat (f32.mul ${get('$z')} (f32.load ${get('$ps')})))`)}
        ${times(8, (i) => set(`$o${i}`, `(f32x4.add ${get(`$o${i}`)} (f32x4.mul ${get('$w')} (v128.load offset=${i * 16} ${get('$p')})))`))}
        ${add('$p', get('$row'))} ${add('$ps', constant(4))}`,
      )}
      ${times(8, (i) => `(v128.store offset=${i * 16} ${get('$out')} ${get(`$o${i}`)})`)}
      ${add('$q', get('$row'))} ${add('$out', get('$row'))}`,
    )})`;
}

/** x * (1 + erf(x / √2)) / 2 in place, over a multiple of four numbers; erf by Abramowitz and Stegun 7.1.26. */
function gelu() {
  const terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const polynomial = terms.reduceRight(
    (inner, term) =>
      `(f32x4.add ${splat(term)} (f32x4.mul ${get('$t')} ${typeof inner === 'number' ? splat(inner) : inner}))`,
  );
  return `(func (export "gelu") (param $p i32) (param $count i32) ${integers('$i')} ${vectors('$x', '$z', '$t', '$r')}
    ${loop(
      '$four',
      '$i',
      4,
      get('$count'),
      `${set('$x', `(v128.load ${get('$p')})`)} ${set('$z', `(f32x4.mul (f32x4.abs ${get('$x')}) ${splat(Math.SQRT1_2)})`)}
      ${set('$t', `(f32x4.div ${splat(1)} (f32x4.add ${splat(1)} (f32x4.mul ${splat(0.3275911)} ${get('$z')})))`)}
      ${set('$r', `(f32x4.sub ${splat(1)} (f32x4.mul (f32x4.mul ${get('$t')} ${polynomial}) (call $exp (f32x4.neg (f32x4.mul ${get('$z')} ${get('$z')})))))`)}
      ${set('$r', `(v128.bitselect (f32x4.neg ${get('$r')}) ${get('$r')} (f32x4.lt ${get('$x')} ${splat(0)}))`)}
      (v128.store ${get('$p')} (f32x4.mul (f32x4.mul ${splat(0.5)} ${get('$x')}) (f32x4.add ${splat(1)} ${get('$r')})))
      ${add('$p', constant(16))}`,
    )})`;
}

const source = `(module (import "env" "memory" (memory 1))
  ${sums('$sumI', 'i32x4')} ${sums('$sumF', 'f32x4')} ${exponential()}
  ${matmul()} ${scan()} ${attention()} ${gelu()})`;

const { parseWat } = await wabt();
const built = Buffer.from(parseWat('kernel.wat', source, { simd: true }).toBinary({}).buffer);
if (process.argv.includes('--check')) {
  if (!built.equals(readFileSync(TARGET))) {
    console.error(
      'src/drivers/embedding/kernel.wasm is not what scripts/kernel.mjs builds; run node scripts/kernel.mjs',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(TARGET, built);
}
