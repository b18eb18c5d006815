import { classNames } from '../class-names.ts'
import type { LineStyle } from './line-styles.ts'

interface ChartLegendProps {
  lines: readonly string[]
  styles: readonly LineStyle[]
  values: readonly string[]
  of: string | undefined
  earlier: { label: string; style: LineStyle } | undefined
}

/** Legend with a sample, the name and the value of each line. A single line needs no name. */
export function ChartLegend({ lines, styles, values, of, earlier }: ChartLegendProps) {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm tabular-nums">
      {values.map((value, line) => (
        <span key={lines[line]} className="flex items-center gap-1.5 whitespace-nowrap">
          {lines.length > 1 && (
            <>
              <LineSample style={styles[line]} />
              <span className="max-w-40 truncate text-muted">{lines[line]}</span>
            </>
          )}
          <span className="font-medium">{value}</span>
          {of && <span className="text-muted">of {of}</span>}
        </span>
      ))}
      {earlier && (
        <span className="flex items-center gap-1.5 whitespace-nowrap text-muted">
          <LineSample style={earlier.style} />
          {earlier.label}
        </span>
      )}
    </p>
  )
}

export const LineSample = ({ style, className }: { style: LineStyle | undefined; className?: string }) => (
  <svg aria-hidden viewBox="0 0 26 8" className={classNames('h-2 w-6.5 shrink-0', className)}>
    {style && (
      <line
        x1="2"
        x2="24"
        y1="4"
        y2="4"
        stroke={`var(${style.color})`}
        strokeWidth={style.width}
        strokeDasharray={style.dash.join(' ')}
        strokeLinecap="round"
        opacity={style.opacity}
      />
    )}
  </svg>
)
