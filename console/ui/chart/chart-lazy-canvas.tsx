import { type ComponentType, useEffect, useState } from 'react'
import type { ChartCanvasProps } from './chart-canvas.tsx'

let loaded: ComponentType<ChartCanvasProps> | undefined
const loading = async () => (loaded ??= (await import('./chart-canvas.tsx')).ChartCanvas)

/** Draws nothing until the code that draws is there; once it is, at once. */
export function LazyChartCanvas(props: ChartCanvasProps) {
  const [Canvas, setCanvas] = useState(() => loaded)
  const [failure, setFailure] = useState<{ cause: unknown }>()
  useEffect(() => {
    if (!Canvas)
      loading().then(
        (component) => setCanvas(() => component),
        (cause: unknown) => setFailure({ cause }),
      )
  }, [Canvas])
  if (failure) throw failure.cause
  return Canvas ? <Canvas {...props} /> : null
}
