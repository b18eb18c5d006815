import { ExternalLink, LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { classNames } from './class-names.ts'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Size = keyof typeof sizes

interface Look {
  variant?: Variant
  size?: Size
  wide?: boolean
  /** Makes the button square for an icon. Such a button needs an aria-label. */
  icon?: boolean
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Label while pending, such as “Creating…”. The button keeps its focus and ignores clicks meanwhile. */
  pending?: string | false
}

/**
 * Returns whether the click is the second of a double click, which is ignored: another element may be under the pointer
 * by then.
 */
const isSecondClick = ({ detail }: MouseEvent) => detail > 1

export function Button({
  variant,
  size,
  wide,
  icon,
  pending,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const busy = Boolean(pending)
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={(event) => (busy || isSecondClick(event) ? event.preventDefault() : onClick?.(event))}
      className={classNames(buttonClasses({ variant, size, wide, icon }), className)}
    >
      {busy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {pending || children}
    </button>
  )
}

export function ButtonLink({ variant, size, wide, icon, className, ...rest }: Look & LinkProps) {
  return <Link {...rest} className={classNames(buttonClasses({ variant, size, wide, icon }), className)} />
}

export function ButtonAnchor({
  variant,
  size,
  wide,
  outside = false,
  children,
  ...rest
}: Look & { href: string; rel?: string; outside?: boolean; onClick?: () => void; children: ReactNode }) {
  return (
    <a
      {...rest}
      {...(outside && { target: '_blank', rel: 'noreferrer' })}
      className={classNames(buttonClasses({ variant, size, wide }), 'max-w-full')}
    >
      {children}
      {outside && <ExternalLink aria-label="opens in a new tab" />}
    </a>
  )
}

const looks: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-pressed',
  secondary: 'border border-edge bg-raised text-ink hover:bg-hover active:bg-pressed',
  ghost:
    'text-muted hover:bg-hover hover:text-ink active:bg-pressed aria-expanded:bg-hover aria-expanded:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover active:brightness-90',
}

const sizes = {
  small: { height: 'h-7 text-sm', padding: 'px-2', square: 'w-7' },
  medium: { height: 'h-8 text-base', padding: 'px-3', square: 'w-8' },
  large: { height: 'h-10 text-base', padding: 'px-4', square: 'w-10' },
}

function buttonClasses({
  variant = 'secondary',
  size = 'medium',
  wide,
  icon,
}: { [K in keyof Look]?: Look[K] | undefined }) {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 aria-disabled:opacity-70 disabled:pointer-events-none disabled:opacity-50',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    sizes[size].height,
    icon ? sizes[size].square : sizes[size].padding,
    wide && 'w-full max-sm:h-10',
    looks[variant],
  )
}
