/** A vector as it is kept: one byte a component. Components of unit vectors of hundreds of dimensions are small. */
export const VECTOR_MIN = -0.25;
export const VECTOR_STEP = 0.5 / 255;

export const toVectorBytes = (vector: Float32Array): Uint8Array =>
  Uint8Array.from(vector, (x) => Math.max(0, Math.min(255, Math.round((x - VECTOR_MIN) / VECTOR_STEP))));
