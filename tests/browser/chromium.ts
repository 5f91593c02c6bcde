/** The program in CHROME, which `cargo xtask test` sets; undefined lets Playwright search. */
const executable = process.env['CHROME']

/** WebGPU on SwiftShader, Chromium's software adapter: it can compute and present canvases. */
export const webgpu = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
  '--use-vulkan=swiftshader',
  '--enable-features=Vulkan',
  '--ignore-gpu-blocklist',
  '--enable-gpu-rasterization',
]

/** Chromium paints without a GPU: that takes a quarter less CPU time than SwiftShader. */
export const withoutGpu = ['--disable-gpu']

/** Stops the browser's own requests: only the page uses the network. */
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium refuses to sandbox itself as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Launch options of Chromium with these arguments. */
export const chromium = (args: string[]) => ({
  ...(executable ? { executablePath: executable } : {}),
  args: [...args, ...quiet],
})
