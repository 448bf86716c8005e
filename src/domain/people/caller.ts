/** Who calls: on stdio the OS user and the state folder, over HTTP the signed-in subject. */
export interface Caller {
  readonly tenant: string;
  readonly id: string;
}
