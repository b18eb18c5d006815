import { classNames } from '../class-names.ts'

/** Width of the drawing. It matches the widest screen, so that every screen shows the middle at the same scale. */
const width = 2880
const swell = (y: number, depth: number) =>
  `M0 ${y}q60 ${-depth} 120 0${'t120 0'.repeat(width / 120 - 1)}V200H0z`

/** Illustration of the brand: a boat that has just left the slipway. */
export const HarborScene = ({ className }: { className?: string }) => (
  <svg
    viewBox={`0 0 ${width} 200`}
    preserveAspectRatio="xMidYMax slice"
    className={classNames('w-full', className)}
    aria-hidden
  >
    <g className="fill-accent-soft">
      <circle cx="1660" cy="58" r="24" />
      <path
        d="M1580 140c90-44 170-46 260-22s190-34 330-30 220 40 340 30 240-26 370-14v44H1580z"
        opacity=".6"
      />
      <path d={swell(138, 10)} />
    </g>
    <g className="stroke-edge" fill="none" strokeWidth="2.5">
      <path d="M812 116V44h190M862 116V44M812 58h50M812 86h50M862 44l-25-18-25 18M837 26l150 18M976 44v26" />
    </g>
    <g className="fill-accent">
      <path d="M1008 100h42v16h-42zM1100 84h42v16h-42z" opacity=".85" />
      <path d="M1054 100h42v16h-42z" opacity=".5" />
      <path d="M955 72h42v16h-42z" opacity=".65" />
      <path d="M1100 100h42v16h-42zM1054 84h42v16h-42z" opacity=".3" />
    </g>
    <path d="M0 116h1190l190 56v28H0z" className="fill-pressed" />
    <path d="M0 117h1190l190 56" className="stroke-edge" fill="none" strokeWidth="2" />
    <g className="fill-accent" transform="translate(1424 34) scale(4.6)">
      <path d="M7 21.5h18l-2.6 4H10zM15 6.5v12H8.2z" />
      <path d="M17.2 10v8.5H23z" opacity=".55" />
    </g>
    <path d={swell(156, 12)} className="fill-accent-soft" />
    <path d={swell(156, 12)} className="fill-accent" opacity=".16" />
    <path d={swell(178, 14)} className="fill-accent" opacity=".14" transform="translate(-60 0)" />
  </svg>
)
