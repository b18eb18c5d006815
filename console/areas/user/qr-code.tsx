import makeCode from 'qrcode-generator'

/** Width in modules of the margin that QR readers require. */
const quiet = 4

/** QR code, dark on white in both themes, because some apps cannot read inverted codes. */
export function QrCode({ text }: { text: string }) {
  const { size, path } = qrModules(text)
  const side = size + 2 * quiet
  return (
    <svg
      aria-hidden
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-lg border border-line"
    >
      <rect x={-quiet} y={-quiet} width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

/** Returns the number of modules per side, and the dark modules as an SVG path. */
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
