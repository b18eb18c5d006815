import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useStartSetup } from './setups.ts'

export function SetUpButton({ id, children }: { id: string; children: ReactNode }) {
  const start = useStartSetup(id)
  return (
    <Button pending={start.isPending && 'Starting…'} onClick={() => start.mutate()}>
      {children}
    </Button>
  )
}
