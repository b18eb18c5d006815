import { type ReactNode, useState } from 'react'
import { AddressContent } from '../lib/address.tsx'
import { classNames } from './class-names.ts'
import { useSectionAnchor } from './page-sections.tsx'
import { ChevronRight } from 'lucide-react'

interface CardProps {
  title?: ReactNode
  description?: ReactNode
  action?: ReactNode
  footer?: ReactNode
  flush?: boolean
  /** Lets the content take the height that the card is given. */
  fill?: boolean
  children?: ReactNode
}

export function Card({ title, description, action, footer, flush, fill, children }: CardProps) {
  const anchor = useSectionAnchor(title)
  return (
    <section
      {...anchor}
      className={classNames('scroll-mt-18 rounded-lg border border-line bg-raised', fill && 'flex flex-col')}
    >
      {title && (
        <header
          className={classNames(
            'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4',
            flush ? 'border-b border-line pb-3' : !children && 'pb-4',
          )}
        >
          <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere sm:flex-1 sm:basis-48">
            <h2 className="text-base font-semibold">{title}</h2>
            {description && (
              <p className="text-sm text-muted">
                <AddressContent revealable>{description}</AddressContent>
              </p>
            )}
          </div>
          {action}
        </header>
      )}
      {children && (
        <div
          className={classNames(
            flush ? classNames('overflow-hidden', title ? 'rounded-b-lg' : 'rounded-lg') : 'p-4',
            fill && 'flex flex-1 flex-col',
          )}
        >
          {children}
        </div>
      )}
      {footer && (
        <footer className="flex flex-wrap items-center justify-between gap-3 rounded-b-lg border-t border-line bg-subtle px-4 py-3 text-sm text-muted *:last:ml-auto">
          {footer}
        </footer>
      )}
    </section>
  )
}

interface CollapsibleSectionProps {
  title: string
  /** Summary of the content or of the values that are set, so that the section can stay collapsed. */
  about: string
  opened?: boolean
  children: ReactNode
}

/** Collapsed section. It opens on request, or when a field in it is invalid. */
export function CollapsibleSection({ title, about, opened = false, children }: CollapsibleSectionProps) {
  // A later change must not close what the user reads.
  const [open] = useState(opened)
  return (
    <details open={open} className="group rounded-lg border border-line bg-raised">
      <summary className="flex min-w-0 list-none items-center gap-2 rounded-lg p-4 -outline-offset-2 hover:bg-subtle">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
          aria-hidden
        />
        <span className="flex min-w-0 flex-1 gap-x-2 max-sm:flex-col">
          <span className="shrink-0 font-semibold sm:in-data-rows:w-48">{title}</span>
          <span className="min-w-0 truncate text-muted max-sm:text-sm">{about}</span>
        </span>
      </summary>
      <div className="p-4 pt-2">{children}</div>
    </details>
  )
}

/** Shows collapsed sections as the rows of one box. */
export const CollapsibleRows = ({ children }: { children: ReactNode }) => (
  <div
    data-rows
    className="rounded-lg border border-line bg-raised [&>details]:border-0 [&>details+details]:border-t [&>details:not(:first-child)]:rounded-t-none [&>details:not(:last-child)]:rounded-b-none [&>details>summary]:rounded-[inherit] [&>details>summary]:py-3"
  >
    {children}
  </div>
)
