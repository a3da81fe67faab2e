/** `schedule/consolidate` */
export function scheduleAddress(id: string): string {
  return `schedule/${id}`;
}
