import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'

interface WayPickerProps {
  ways: readonly { way: string; icon: LucideIcon; title: string; text: string }[]
  chosen: string
}

export const ImportMethodPicker = ({ ways, chosen }: WayPickerProps) => (
  <nav aria-label="Ways to import" className="grid grid-cols-3 gap-4 max-lg:grid-cols-1 max-lg:gap-2">
    {ways.map(({ way, icon: Icon, title, text }) => (
      <Link
        key={way}
        to={`?way=${way}`}
        aria-current={way === chosen ? 'page' : undefined}
        className="flex gap-3 rounded-lg border border-line bg-raised p-4 hover:border-edge hover:bg-subtle aria-[current=page]:border-accent-ink aria-[current=page]:bg-accent-soft"
      >
        <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span className="flex flex-col gap-0.5">
          <span className="font-medium">{title}</span>
          <span className="text-sm text-muted">{text}</span>
        </span>
      </Link>
    ))}
  </nav>
)
