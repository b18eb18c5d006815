import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { type Crumb, useSetTrail } from './breadcrumbs.tsx'

interface PageHeaderProps {
  title: string
  icon?: ReactNode
  parents?: readonly Crumb[]
  description?: ReactNode
  badge?: ReactNode
  action?: ReactNode
  menu?: ReactNode
}

const none: readonly Crumb[] = []

export function PageHeader({
  title,
  icon,
  parents = none,
  description,
  badge,
  action,
  menu,
}: PageHeaderProps) {
  useSetTrail([...parents, { label: title }])
  return (
    <header className="flex min-h-8 flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div
        className={classNames('flex min-w-0 items-start gap-3', Boolean(description) && 'flex-1 basis-44')}
      >
        {icon}
        <div className="flex min-w-0 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
            {badge}
          </div>
          {description && <p className="wrap-anywhere text-muted">{description}</p>}
        </div>
      </div>
      {(action ?? menu) && (
        <div className="flex items-center gap-2">
          {action}
          {menu}
        </div>
      )}
    </header>
  )
}
