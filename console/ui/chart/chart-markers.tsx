import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../tooltip.tsx'
import { type ChartMarker, groupMarkers, type MarkerGroup } from './group-markers.ts'
import { plotArea } from './line-styles.ts'

interface ChartMarkersProps {
  markers: readonly ChartMarker[]
  from: number
  to: number
  active: string | undefined
}

/** Width of a flag with the space to the next one, in pixels. */
const FLAG = 46

const { top, right, bottom, left } = plotArea

/** Lines and flags above the canvas. Only the pointer uses them; the page lists the same links for the keyboard. */
export function ChartMarkers({ markers, from, to, active }: ChartMarkersProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const groups = width === 0 ? [] : groupMarkers(markers, from, to, FLAG / width)
  const lines = groupMarkers(markers, from, to, 0)
  return (
    <div ref={frame} className="pointer-events-none absolute" style={{ top, right, bottom, left }}>
      {lines.map(({ share, markers: [marker] }) => (
        <div
          key={marker?.id}
          style={{ left: `${share * 100}%` }}
          className={classNames(
            'absolute inset-y-0 border-l',
            marker?.id === active ? '-ml-px border-l-2 border-ink' : lineClasses[marker?.tone ?? 'neutral'],
          )}
        />
      ))}
      {groups.map((group) => (
        <GroupFlag key={group.markers[0]?.id} group={group} active={active} />
      ))}
    </div>
  )
}

const lineClasses = { neutral: 'border-faint', red: 'border-red-ink', yellow: 'border-yellow-ink' }

/** Flag of several markers. It links to the last one, and its tooltip names all of them. */
function GroupFlag({
  group: { share, markers },
  active,
}: {
  group: MarkerGroup
  active: string | undefined
}) {
  const last = markers.at(-1)
  if (!last) return null
  const names = (
    <span className="flex flex-col gap-1">
      {markers.map(({ id, title, detail }) => (
        <span key={id} className="flex flex-col">
          <span className="font-medium">{title}</span>
          <span>{detail}</span>
        </span>
      ))}
    </span>
  )
  return (
    <Tooltip content={names} instant>
      <Link
        to={last.to}
        state={last.state}
        tabIndex={-1}
        aria-label={last.title}
        style={{ left: `${share * 100}%` }}
        className="group pointer-events-auto absolute -top-2 -translate-x-1/2 hover:z-10"
      >
        <MarkerFlag
          marker={last}
          more={markers.length - 1}
          active={markers.some(({ id }) => id === active)}
        />
      </Link>
    </Tooltip>
  )
}

interface MarkerFlagProps {
  marker: ChartMarker
  more?: number
  active?: boolean
}

export const MarkerFlag = ({ marker: { flag, Icon, tone }, more = 0, active = false }: MarkerFlagProps) => (
  <span
    className={classNames(
      'flex h-4 items-center gap-0.5 rounded-sm border px-1 text-xs font-medium tabular-nums',
      active ? 'border-ink bg-ink text-page' : flagClasses[tone],
    )}
  >
    {Icon && <Icon aria-hidden className="size-3 shrink-0" />}
    {flag}
    {more > 0 && `+${more}`}
  </span>
)

const hover = 'group-hover:border-ink group-hover:bg-ink group-hover:text-page'
const flagClasses = {
  neutral: `border-edge bg-raised text-ink ${hover}`,
  red: `border-red/40 bg-red-soft text-red-ink ${hover}`,
  yellow: `border-yellow/40 bg-yellow-soft text-yellow-ink ${hover}`,
}
