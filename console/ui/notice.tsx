import { ChevronDown, CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { createContext, type ReactNode, use, useState } from 'react'
import { AddressContent, useMaskedText } from '../lib/address.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { useHeldHeight } from './use-held-height.ts'

type NoticeTone = 'red' | 'yellow' | 'green' | 'neutral'

interface NoticeProps {
  tone: NoticeTone
  title: string
  children?: ReactNode
  action?: ReactNode
}

const looks: Record<NoticeTone, { box: string; icon: string; Icon: typeof Info }> = {
  red: { box: 'border-red/40 bg-red-soft', icon: 'text-red-ink', Icon: CircleAlert },
  yellow: { box: 'border-yellow/40 bg-yellow-soft', icon: 'text-yellow-ink', Icon: TriangleAlert },
  green: { box: 'border-green/40 bg-green-soft', icon: 'text-green-ink', Icon: CircleCheck },
  neutral: { box: 'border-line bg-subtle', icon: 'text-muted', Icon: Info },
}

/** Dismissal of the notices in a stack. It is null outside of a stack, and in a stack whose notices stay. */
const StackDismissal = createContext<Dismissal | null>(null)

export function Notice({ tone, title, children, action }: NoticeProps) {
  const { box, icon, Icon } = looks[tone]
  const masked = useMaskedText()(title)
  const dismissal = use(StackDismissal)
  if (dismissal?.isDismissed(title)) return null
  return (
    <section
      aria-label={masked}
      className={classNames(
        'relative flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border px-4 py-3',
        box,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <Icon className={classNames('mt-0.5 size-4 shrink-0', icon)} aria-hidden />
        <div className="notice-body flex min-w-0 flex-col gap-0.5 wrap-anywhere">
          <p className={classNames('font-medium', dismissal !== null && 'max-sm:pr-6')}>{masked}</p>
          {children && (
            <div className="notice-text text-sm">
              <AddressContent revealable>{children}</AddressContent>
            </div>
          )}
        </div>
      </div>
      {(action || dismissal) && (
        <div className="flex flex-wrap items-center gap-2">
          {action}
          {dismissal && (
            <Button
              variant="ghost"
              size="small"
              icon
              aria-label="Dismiss"
              className="max-sm:absolute max-sm:top-2 max-sm:right-2"
              onClick={() => dismissal.dismiss(title)}
            >
              <X aria-hidden />
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** Classes that show title and text of a collapsed notice in one line, truncated if necessary. */
const closedClasses = classNames(
  '[&:has(>section+section)>section_.notice-text]:line-clamp-1 [&:has(>section+section)>section_.notice-text]:break-all',
  'sm:[&:has(>section+section)>section_.notice-body]:flex-row sm:[&:has(>section+section)>section_.notice-body]:items-baseline',
  'sm:[&:has(>section+section)>section_.notice-body]:gap-2 sm:[&:has(>section+section)>section_.notice-body>p]:shrink-0',
)

interface NoticeStackProps {
  /** Version of the state. Dismissed notices return when it changes; without it, notices cannot be dismissed. */
  dismissedUntil?: string | undefined
  children: ReactNode
}

/**
 * Stack of notices. Several notices collapse to one line each, so that they do not push the page down; a single one
 * stays open.
 */
export function NoticeStack({ dismissedUntil, children }: NoticeStackProps) {
  const [open, setOpen] = useState(false)
  const ref = useHeldHeight()
  const dismissal = useDismissal(dismissedUntil)
  return (
    <div
      ref={ref}
      className={classNames(
        'group relative not-has-[>section]:hidden has-[>section+section]:overflow-hidden has-[>section+section]:rounded-lg',
        'has-[>section+section]:border has-[>section+section]:border-line has-[>section+section]:pb-8',
        '[&:has(>section+section)>section]:rounded-none [&:has(>section+section)>section]:border-0',
        '[&:has(>section+section)>section]:border-b [&:has(>section+section)>section]:py-2',
        '[&:has(>section+section)>section_button]:h-7 [&:has(>section+section)>section_a]:h-7',
        '[&:has(>section+section)>section]:min-h-11',
        !open && closedClasses,
      )}
    >
      <StackDismissal value={dismissal}>{children}</StackDismissal>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="absolute inset-x-0 bottom-0 hidden h-8 items-center justify-center gap-1 bg-subtle text-sm text-muted -outline-offset-2 group-has-[>section+section]:flex hover:text-ink"
      >
        {open ? 'Show less' : 'Show details'}
        <ChevronDown className={classNames('size-4', open && 'rotate-180')} aria-hidden />
      </button>
    </div>
  )
}

interface Dismissal {
  isDismissed: (title: string) => boolean
  dismiss: (title: string) => void
}

const key = 'dismissed-notices'
const most = 50

/**
 * Stores the titles of dismissed notices in this browser tab until `version` changes. Returns null without a version.
 */
function useDismissal(version: string | undefined): Dismissal | null {
  const [dismissed, setDismissed] = useState(read)
  if (version === undefined) return null
  const entryOf = (title: string) => `${version} ${title}`
  return {
    isDismissed: (title) => dismissed.includes(entryOf(title)),
    dismiss: (title) => {
      const after = [...read(), entryOf(title)].slice(-most)
      sessionStorage.setItem(key, JSON.stringify(after))
      setDismissed(after)
    },
  }
}

function read(): string[] {
  const entries: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : []
}
