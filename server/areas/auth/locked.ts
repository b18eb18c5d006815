import { Problem } from '../../errors.ts'

export const accountLocked = () =>
  new Problem(403, 'account_locked', 'This account is locked. Ask the operator of this Slipway to unlock it.')

export const workspaceLocked = () =>
  new Problem(
    403,
    'workspace_locked',
    'This workspace is locked by the operator of this Slipway. Its applications keep running. Ask the operator to unlock it, or work in another workspace.',
  )
