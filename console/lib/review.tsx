import { ShieldAlert } from 'lucide-react'
import { Notice } from '../ui/notice.tsx'
import { AddressText } from './address.tsx'

export const ReviewWarnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length > 0 && (
    <Notice tone="yellow" title="Warnings">
      <Sentences>{warnings}</Sentences>
    </Notice>
  )

export const ReviewSteps = ({ steps }: { steps: readonly string[] }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-5 wrap-anywhere marker:text-muted marker:tabular-nums">
    {steps.map((step) => (
      <li key={step} className="pl-1">
        <AddressText revealable>{step}</AddressText>
      </li>
    ))}
  </ol>
)

/** Lists privileged options and host mounts, because control of such a container means control of the server. */
export const ReviewHostAccess = ({ items, allowed }: { items: readonly string[]; allowed: boolean }) =>
  items.length > 0 && (
    <section
      aria-label="Host access"
      className="flex gap-3 rounded-lg border border-red/40 bg-red-soft px-4 py-3"
    >
      <ShieldAlert className="mt-0.5 size-4 shrink-0 text-red-ink" aria-hidden />
      <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
        <p className="font-medium">Containers get host access{allowed ? '' : ', which requires an admin'}</p>
        <div className="text-sm">
          <Sentences>{items}</Sentences>
        </div>
      </div>
    </section>
  )

const Sentences = ({ children }: { children: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {children.map((sentence) => (
      <li key={sentence}>
        <AddressText revealable>{sentence}</AddressText>
      </li>
    ))}
  </ul>
)
