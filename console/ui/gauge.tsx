import { classNames } from './class-names.ts'

interface MeterProps {
  label: string
  share: number | null
  /** Text for screen readers instead of the percentage, such as “3.1 GiB of 8 GiB”. */
  text?: string | undefined
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Formats a share, such as “42%”. An unknown share is a dash. */
export const formatShare = (share: number | null) => (share === null ? '–' : percent.format(clamp(share)))

/** Small bar for comparing rows, followed by the percentage. With `named`, both are below the name. */
export function UsageBar({ label, share, text, named }: MeterProps & { named?: boolean }) {
  const figure = (
    <span
      aria-hidden
      className={classNames(
        'shrink-0 text-right',
        !named && 'w-8',
        isHigh(share) && `font-medium ${tone(share)}`,
      )}
    >
      {formatShare(share)}
    </span>
  )
  return (
    <span
      title={text}
      className={classNames(
        'flex min-w-0 text-xs tabular-nums',
        named ? 'flex-col gap-1' : 'items-center gap-2',
      )}
    >
      {named && (
        <span className="flex justify-between gap-1">
          <span aria-hidden className="truncate text-muted">
            {label}
          </span>
          {figure}
        </span>
      )}
      <span
        {...meter({ label, share, text })}
        className={classNames('h-1.5 min-w-8 overflow-hidden rounded-full bg-pressed', !named && 'flex-1')}
      >
        <span
          className={classNames('block h-full rounded-full bg-current', tone(share))}
          style={{ width: `${clamp(share ?? 0) * 100}%` }}
        />
      </span>
      {!named && figure}
    </span>
  )
}

/** Share of the circle that the arc covers. The rest is open at the bottom. */
const ARC = 0.75
const RADIUS = 40
const LENGTH = 2 * Math.PI * RADIUS

/** Round gauge with the percentage inside. Its name and values must be beside it. `calm` means that high is good. */
export function Gauge({ label, share, text, calm = false }: MeterProps & { calm?: boolean }) {
  return (
    <div {...meter({ label, share, text })} className="relative size-20 shrink-0">
      <svg viewBox="0 0 96 96" className="size-full rotate-135" aria-hidden>
        <circle {...arc} className="stroke-pressed" strokeDasharray={`${ARC * LENGTH} ${LENGTH}`} />
        {share !== null && share > 0 && (
          <circle
            {...arc}
            className={classNames('stroke-current', calm ? 'text-green-ink' : tone(share))}
            strokeDasharray={`${clamp(share) * ARC * LENGTH} ${LENGTH}`}
          />
        )}
      </svg>
      <span
        aria-hidden
        className="absolute inset-0 flex items-center justify-center text-lg font-semibold tabular-nums"
      >
        {formatShare(share)}
      </span>
    </div>
  )
}

const arc = { cx: 48, cy: 48, r: RADIUS, fill: 'none', strokeWidth: 8, strokeLinecap: 'round' } as const

const meter = ({ label, share, text }: MeterProps) => ({
  role: 'meter',
  'aria-label': label,
  'aria-valuemin': 0,
  'aria-valuemax': 100,
  'aria-valuenow': Math.round(clamp(share ?? 0) * 100),
  'aria-valuetext': share === null ? 'Unknown' : [formatShare(share), text].filter(Boolean).join(', '),
})

const clamp = (share: number) => Math.min(Math.max(share, 0), 1)

const isHigh = (share: number | null) => share !== null && share >= 0.75

function tone(share: number | null): string {
  if (share === null || share < 0.75) return 'text-accent-ink'
  return share < 0.9 ? 'text-yellow-ink' : 'text-red-ink'
}
