import { type ComponentType, useEffect, useState } from 'react'
import type { ChartCanvasProps } from './chart-canvas.tsx'

let loaded: ComponentType<ChartCanvasProps> | undefined
const loading = async () => (loaded ??= (await import('./chart-canvas.tsx')).ChartCanvas)

/** Renders synchronously once the chunk is loaded. */
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
