import { Link } from 'react-router'
import { MarkerFlag } from '../../ui/chart/chart-markers.tsx'
import type { ChartMarker } from '../../ui/chart/group-markers.ts'

interface MarkerListProps {
  markers: readonly ChartMarker[]
  from: number
  to: number
  onActive: (id: string | undefined) => void
}

/** Links to the markers of the charts, newest first, in one line that scrolls. */
export function MarkerList({ markers, from, to, onActive }: MarkerListProps) {
  const shown = markers.filter(({ at }) => at >= from && at <= to).toSorted((a, b) => b.at - a.at)
  return (
    <nav aria-label="Deployments in this range" className="flex h-7 items-center gap-2 text-sm">
      <span className="shrink-0 text-muted">
        {shown.length === 0 ? 'No deployments in this range' : 'Deployments'}
      </span>
      {shown.length > 0 && (
        <ul className="-my-1 flex min-w-0 gap-1 overflow-x-auto py-1">
          {shown.map((marker) => (
            <li key={marker.id} className="shrink-0">
              <Link
                to={marker.to}
                state={marker.state}
                onPointerEnter={() => onActive(marker.id)}
                onPointerLeave={() => onActive(undefined)}
                onFocus={() => onActive(marker.id)}
                onBlur={() => onActive(undefined)}
                className="group relative flex h-7 items-center gap-1.5 rounded-md px-1.5 whitespace-nowrap -outline-offset-2 hover:bg-hover"
              >
                <MarkerFlag marker={marker} />
                <span className={hasPlainFlag(marker) ? 'sr-only' : 'text-ink'}>{marker.title}</span>
                <span className="text-muted">{marker.detail}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

/** A release that is live or was live needs no more words than its number. */
const hasPlainFlag = ({ flag, tone }: ChartMarker) => flag !== '' && tone === 'neutral'
