import { type ReactNode, Suspense, use } from 'react'
import { classNames } from '../class-names.ts'
import type { Layer, Mark } from './drawn-marks.ts'

interface BrandMarkProps {
  /** Names in order of preference. The first one with a known logo is shown. */
  names: readonly string[]
  /** Content while the logos load, and for unknown names. */
  fallback: ReactNode
  className: string
}

/** Shows a logo in its colors. If these lack contrast in one of the themes, the color of the text is used. */
export const BrandMark = ({ names, fallback, className }: BrandMarkProps) =>
  names.length === 0 ? (
    fallback
  ) : (
    <Suspense fallback={fallback}>
      <Known names={names} fallback={fallback} className={className} />
    </Suspense>
  )

interface BrandNameProps extends Pick<BrandMarkProps, 'fallback'> {
  brand: string
  children: ReactNode
}

export const BrandName = ({ brand, fallback, children }: BrandNameProps) => (
  <span className="inline-flex min-w-0 items-center gap-2 align-bottom">
    <span className="flex size-4 shrink-0 text-muted *:size-4">
      <BrandMark names={[brand]} fallback={fallback} className="size-4" />
    </span>
    <span className="min-w-0">{children}</span>
  </span>
)

interface BrandLogoProps extends Omit<BrandMarkProps, 'className'> {
  size?: keyof typeof sizes
}

export const BrandLogo = ({ names, fallback, size = 'medium' }: BrandLogoProps) => (
  <Tile size={size}>
    <BrandMark names={names} fallback={fallback} className={sizes[size].mark} />
  </Tile>
)

interface PictureLogoProps {
  src: string
  size: keyof typeof sizes
  onError: () => void
}

/** Shows a picture on a tile, because its colors are unknown and may be invisible in one of the themes. */
export const PictureLogo = ({ src, size, onError }: PictureLogoProps) => (
  <Tile size={size}>
    <img
      src={src}
      alt=""
      loading="lazy"
      className={classNames('object-contain', sizes[size].mark)}
      onError={onError}
    />
  </Tile>
)

function Tile({ size, children }: { size: keyof typeof sizes; children: ReactNode }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'flex shrink-0 items-center justify-center border border-line bg-subtle font-semibold text-muted',
        sizes[size].tile,
      )}
    >
      {children}
    </span>
  )
}

const sizes = {
  small: { tile: 'size-7 rounded-md text-[11px]', mark: 'size-4' },
  medium: { tile: 'size-9 rounded-lg text-xs', mark: 'size-5' },
  large: { tile: 'size-12 rounded-lg text-base', mark: 'size-7' },
}

function Known({ names, fallback, className }: BrandMarkProps) {
  const brands = use(loadBrands())
  const brand = names.map((name) => brands[name]).find((found) => found !== undefined)
  if (!brand) return fallback
  return (
    <svg viewBox="0 0 24 24" className={classNames('shrink-0', className)} aria-hidden>
      {'path' in brand ? (
        <path {...paintOf(brand, themedColor(brand.hex))} />
      ) : (
        brand.map((layer) => <path key={layer.hex} {...paintOf(layer, `#${layer.hex}`)} />)
      )}
    </svg>
  )
}

const paintOf = ({ path: d, line, turn }: Layer, color: string) => ({
  d,
  ...(line === undefined
    ? { fill: color }
    : { fill: 'none', stroke: color, strokeWidth: line, strokeLinecap: 'round' as const }),
  ...(turn !== undefined && { transform: `rotate(${turn} 12 12)` }),
})

type Brands = Readonly<Record<string, Mark>>

let loaded: Promise<Brands> | undefined

/**
 * Loads the logos, which are larger than a page and so have a chunk of their own. If they fail to load, the fallback
 * stays.
 */
const loadBrands = (): Promise<Brands> =>
  (loaded ??= import('./brands.ts').then(
    ({ brands }) => brands,
    () => ({}),
  ))

function themedColor(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  )
  const light = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2
  if (light < 0.05 || light > 0.5) return 'var(--ink)'
  return light < 0.25 ? `color-mix(in oklab, #${hex}, white var(--logo-lift))` : `#${hex}`
}
