import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

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
