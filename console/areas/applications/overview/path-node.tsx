import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Tone } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'

interface NodeProps {
  Icon: LucideIcon
  title: ReactNode
  note?: ReactNode
  tone?: Tone
  to?: string
  children?: ReactNode
}

export const dots: Record<Tone, string> = {
  green: 'bg-green',
  red: 'bg-red',
  yellow: 'bg-yellow',
  neutral: 'bg-faint',
}

export function PathNode({ Icon, title, note, tone, to, children }: NodeProps) {
  return (
    <div className="relative flex min-w-0 flex-col gap-2 rounded-md border border-line bg-raised px-3 py-2 has-[a:hover]:border-edge">
      <div className="flex min-w-0 items-center gap-2.5">
        <Icon className="size-4 shrink-0 text-muted" aria-hidden />
        <div className="flex min-w-0 flex-1 flex-col">
          <span className="truncate font-medium">
            {to === undefined ? (
              title
            ) : (
              <Link to={to} className="rounded-sm hover:underline">
                {title}
              </Link>
            )}
          </span>
          {note !== undefined && (
            <span className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
              {tone && (
                <span aria-hidden className={classNames('size-1.5 shrink-0 rounded-full', dots[tone])} />
              )}
              <span className="truncate">{note}</span>
            </span>
          )}
        </div>
      </div>
      {children}
    </div>
  )
}
