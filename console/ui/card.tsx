import type { ReactNode } from 'react'
import { AddressContent } from '../lib/address.tsx'
import { classNames } from './class-names.ts'
import { ChevronRight } from 'lucide-react'

interface CardProps {
  title?: ReactNode
  description?: ReactNode
  action?: ReactNode
  footer?: ReactNode
  flush?: boolean
  children?: ReactNode
}

export function Card({ title, description, action, footer, flush, children }: CardProps) {
  return (
    <section className="rounded-lg border border-line bg-raised">
      {title && (
        <header
          className={classNames(
            'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4',
            flush ? 'border-b border-line pb-3' : !children && 'pb-4',
          )}
        >
          <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere sm:flex-1 sm:basis-80">
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
        <div className={flush ? classNames('overflow-hidden', title ? 'rounded-b-lg' : 'rounded-lg') : 'p-4'}>
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
  about: string
  children: ReactNode
}

/** Collapsed section that opens on request or when a field in it is invalid. */
export const CollapsibleSection = ({ title, about, children }: CollapsibleSectionProps) => (
  <details className="group rounded-lg border border-line bg-raised">
    <summary className="flex list-none items-center gap-2 rounded-lg p-4 font-semibold hover:bg-subtle">
      <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden />
      {title}
      <span className="font-normal text-muted max-sm:hidden">{about}</span>
    </summary>
    <div className="p-4 pt-2">{children}</div>
  </details>
)
