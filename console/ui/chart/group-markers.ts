import type { LucideIcon } from 'lucide-react'
import type { To } from 'react-router'

/** Event in a chart, such as a deployment, with a link to it. */
export interface ChartMarker {
  id: string
  at: number
  flag: string
  Icon?: LucideIcon | undefined
  tone: 'neutral' | 'red' | 'yellow'
  title: string
  detail: string
  to: To
  state: unknown
}

export interface MarkerGroup {
  share: number
  markers: ChartMarker[]
}

/** Groups markers whose flags would overlap, in order of time. Markers outside of the span are omitted. */
export function groupMarkers(
  markers: readonly ChartMarker[],
  from: number,
  to: number,
  least: number,
): MarkerGroup[] {
  const groups: MarkerGroup[] = []
  for (const marker of markers.toSorted((a, b) => a.at - b.at)) {
    const share = (marker.at - from) / (to - from)
    if (share < 0 || share > 1) continue
    const last = groups.at(-1)
    if (last && share - last.share < least) last.markers.push(marker)
    else groups.push({ share, markers: [marker] })
  }
  return groups
}
