import { Problem } from '../../errors.ts'

export const accountLocked = () =>
  new Problem(
    403,
    'account_locked',
    'This account is locked. Ask the operator of this instance to unlock it.',
  )

export const workspaceLocked = () =>
  new Problem(
    403,
    'workspace_locked',
    'This workspace was locked by the operator of this instance. Its applications keep running. Ask the operator to unlock it, or switch to another workspace.',
  )
