export default {
  mode: 'production',
  entry: './main.js',
  // The engine is as large as it is.
  performance: { hints: false },
}
