import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'

interface QuickActionsProps {
  actions: readonly { title: string; text: string; icon: LucideIcon; to: string }[]
}

export const QuickActions = ({ actions }: QuickActionsProps) => (
  <nav
    aria-label="Quick actions"
    className="grid auto-cols-fr grid-flow-col gap-4 max-[1200px]:grid-flow-row max-[1200px]:grid-cols-2 max-sm:gap-2"
  >
    {actions.map(({ title, text, icon: Icon, to }) => (
      <Link
        key={title}
        to={to}
        className="flex gap-3 rounded-lg border border-line bg-raised p-4 max-sm:p-3 hover:border-edge hover:bg-subtle"
      >
        <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium">{title}</span>
          <span className="text-sm text-muted max-sm:hidden">{text}</span>
        </span>
      </Link>
    ))}
  </nav>
)
