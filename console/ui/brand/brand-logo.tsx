import type { SimpleIcon } from 'simple-icons'
import { type ReactNode, Suspense, use } from 'react'
import { classNames } from '../class-names.ts'

interface BrandLogoProps {
  /** The first that is known is shown. */
  names: readonly string[]
  /** Shown while the logos load, and for unknown names. */
  fallback: ReactNode
  size?: keyof typeof sizes
}

/** A logo in its color on a tile; in the text color if its own would hardly be seen in one of the themes. */
export const BrandLogo = ({ names, fallback, size = 'medium' }: BrandLogoProps) => (
  <span
    aria-hidden
    className={classNames(
      'flex shrink-0 items-center justify-center border border-line bg-subtle font-semibold text-muted',
      sizes[size].tile,
    )}
  >
    {names.length === 0 ? (
      fallback
    ) : (
      <Suspense fallback={fallback}>
        <Known names={names} fallback={fallback} size={size} />
      </Suspense>
    )}
  </span>
)

const sizes = {
  small: { tile: 'size-7 rounded-md text-[11px]', mark: 'size-4' },
  medium: { tile: 'size-9 rounded-lg text-xs', mark: 'size-5' },
  large: { tile: 'size-12 rounded-lg text-base', mark: 'size-7' },
}

function Known({ names, fallback, size }: Required<BrandLogoProps>) {
  const brands = use(loadBrands())
  const brand = names.map((name) => brands[name]).find((found) => found !== undefined)
  if (!brand) return fallback
  return (
    <svg viewBox="0 0 24 24" className={sizes[size].mark} fill={fillOf(brand)}>
      <path d={brand.path} />
    </svg>
  )
}

type Brands = Readonly<Record<string, SimpleIcon>>

let loaded: Promise<Brands> | undefined

/** Apart from the pages: the logos are larger than a page. Without them, the fallback stays. */
const loadBrands = (): Promise<Brands> =>
  (loaded ??= import('./brands.ts').then(
    ({ brands }) => brands,
    () => ({}),
  ))

function fillOf({ hex }: SimpleIcon): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  )
  const light = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2
  return light < 0.05 || light > 0.5 ? 'var(--ink)' : `#${hex}`
}
