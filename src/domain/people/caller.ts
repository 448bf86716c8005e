/** Who calls: on stdio the OS user and the state folder, over HTTP the signed-in subject. */
export interface Caller {
  readonly tenant: string;
  readonly id: string;
}

/** The person or program without the application that they call from: `oauth:ann` of `oauth:ann:desk`. */
export function withoutApplication({ tenant, id }: Caller): Caller {
  const [kind, subject, application] = id.split(':');
  return { tenant, id: application === undefined ? id : `${kind}:${subject}` };
}
