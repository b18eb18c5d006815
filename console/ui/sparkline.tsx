import { classNames } from './class-names.ts'
import { SPARK_HEIGHT, SPARK_WIDTH, type SparkScale, sparkPaths } from './spark-path.ts'

interface SparklineProps {
  label: string
  values: readonly (number | null)[]
  /** Values at the edges; by default zero and the highest value. */
  scale?: Partial<SparkScale> | undefined
  marks?: readonly number[]
  tone?: 'accent' | 'red' | 'yellow' | 'neutral'
  className?: string
}

/** Chart of the size of a word. It has no axes, so the value must be shown beside it. */
export function Sparkline({
  label,
  values,
  scale,
  marks = [],
  tone = 'accent',
  className = 'h-6 w-24',
}: SparklineProps) {
  const { line, area } = sparkPaths(values, scale)
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element could not take the colors of the theme
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames('block overflow-visible', tones[tone], className)}
    >
      {line === '' ? (
        <path d={`M0 ${SPARK_HEIGHT - 1.5}H${SPARK_WIDTH}`} className="stroke-edge" {...dashed} />
      ) : (
        <>
          <path d={area} className="fill-current opacity-12" />
          <path d={line} {...stroke} className="stroke-current" />
        </>
      )}
      {marks.map((mark) => (
        <path
          key={mark}
          d={`M${mark * SPARK_WIDTH} 0V${SPARK_HEIGHT}`}
          className="stroke-muted"
          {...dashed}
        />
      ))}
    </svg>
  )
}

const stroke = {
  fill: 'none',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  // The drawing is stretched, but its strokes must not be.
  vectorEffect: 'non-scaling-stroke',
} as const

const dashed = { ...stroke, strokeWidth: 1, strokeDasharray: '2 3' } as const

const tones = {
  accent: 'text-accent-ink',
  red: 'text-red-ink',
  yellow: 'text-yellow-ink',
  neutral: 'text-muted',
}
