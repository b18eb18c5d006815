import type { ReactNode } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import type { Setup } from './setups.ts'

interface SetupWarningsProps {
  setup: Pick<Setup, 'warnings'>
  action?: ReactNode
}

export function SetupWarnings({ setup: { warnings }, action }: SetupWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <Notice
      tone="yellow"
      title={
        warnings.length === 1
          ? 'Setup finished with a warning'
          : `Setup finished with ${warnings.length} warnings`
      }
      action={action}
    >
      {warnings.map(({ text }) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  )
}
