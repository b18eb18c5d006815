import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { AddressContent, useMaskedText } from '../lib/address.tsx'
import { classNames } from './class-names.ts'

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

export function Notice({ tone, title, children, action }: NoticeProps) {
  const { box, icon, Icon } = looks[tone]
  const masked = useMaskedText()(title)
  return (
    <section
      aria-label={masked}
      className={classNames(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border px-4 py-3',
        box,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <Icon className={classNames('mt-0.5 size-4 shrink-0', icon)} aria-hidden />
        <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
          <p className="font-medium">{masked}</p>
          {children && (
            <div className="text-sm">
              <AddressContent revealable>{children}</AddressContent>
            </div>
          )}
        </div>
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </section>
  )
}
