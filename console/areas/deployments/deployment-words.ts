export function deploymentTone(status: string) {
  if (status === 'completed') return 'green'
  return status === 'failed' ? 'red' : 'yellow'
}

export const deploymentType = (type: string) => (type === 'build_application' ? 'Build' : 'Deploy')
