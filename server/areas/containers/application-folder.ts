interface Application {
  id: string
  slug: string
}

export const applicationProjectName = ({ id, slug }: Application) => `${slug}-${id.slice(-6)}`

export const applicationFolderPath = (application: Application) =>
  `/var/lib/slipway/applications/${applicationProjectName(application)}`
