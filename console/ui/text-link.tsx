import { Link, type LinkProps } from 'react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export function TextLink(props: LinkProps) {
  return (
    <Link
      {...props}
      className="rounded-sm font-medium text-accent-ink underline decoration-transparent underline-offset-2 hover:decoration-current"
    />
  )
}

interface ExternalTextLinkProps {
  href: string
  children: ReactNode
  className?: string
}

export const ExternalTextLink = ({ href, children, className }: ExternalTextLinkProps) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className={classNames(
      'inline-flex min-w-0 items-center gap-1 rounded-sm text-accent-ink underline decoration-transparent underline-offset-2 hover:decoration-current',
      className,
    )}
  >
    {children}
    <ExternalLink className="size-3.5 shrink-0" aria-label="opens in a new tab" />
  </a>
)
