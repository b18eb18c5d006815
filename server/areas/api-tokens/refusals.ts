import { Problem } from '../../errors.ts'

export const scopeTooNarrow = (has: string, needed: string) =>
  new Problem(
    403,
    'scope_too_narrow',
    `This API token has the scope ${has}, but this request needs ${needed}. Create a token with that scope.`,
  )

export const tokenLimited = () =>
  new Problem(403, 'token_limited', 'This API token is limited to other projects or applications.')
