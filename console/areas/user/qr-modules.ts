import makeCode from 'qrcode-generator'

/** Returns the modules per side and the dark modules as an SVG path. */
export function qrModules(text: string): { size: number; path: string } {
  const code = makeCode(0, 'L')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (code.isDark(y, x) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  )
  return { size, path: rows.join('') }
}
