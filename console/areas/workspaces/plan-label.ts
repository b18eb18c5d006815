export const planLabel = (workspace: { on_trial: boolean }) =>
  workspace.on_trial ? 'Trial Plan' : 'Pro Plan'
