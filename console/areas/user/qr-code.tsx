import { qrModules } from './qr-modules.ts'

/** Quiet zone required by QR readers, in modules. */
const quiet = 4

/** Dark on white in both themes: not every app reads inverted codes. */
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
