/** The HTTP API: everything about rooms that is not play. */
import { language } from '../text/language.svelte';
import { Fault, unreachable } from './fault';
import type { components } from './generated/api';
import type { Request, Room } from './messages';
import { ownAvatar } from './own_avatar';

type Schemas = components['schemas'];

export type GameList = Schemas['GameList'];
export type GameListing = Schemas['GameListing'];
export type GameOption = Schemas['GameOption'];
export type GameText = Schemas['GameText'];
export type EventField = Schemas['EventField'];
export type Membership = Schemas['Membership'];
export type ListedRoom = Schemas['ListedRoom'];
export type Replay = Schemas['Replay'];
export type BotReason = Schemas['BotReason'];
export type OwnTable = Schemas['OwnTable'];
export type PlayedGame = Schemas['PlayedGame'];
export type Cue = Schemas['ScriptCue'];
export type DealtRole = Schemas['DealtRole'];
export type OpenRoom = {
  name: string;
  game?: string;
  seats?: number;
  options?: Record<string, unknown>;
  settings?: Partial<Schemas['Settings']>;
  avatar?: string;
  token: string;
};

export const address = () => asked<Schemas['Address']>('/api/address');
export const games = () => asked<GameList>('/api/games');
export const gameText = (game: string, language: string) =>
  asked<GameText>(`/api/games/${encodeURIComponent(game)}/text/${language}`);
export const listRooms = async () => (await asked<Schemas['Listing']>('/api/rooms')).rooms;
export const lookAtRoom = (code: string) => asked<Room>(room(code));
export const openRoom = (body: OpenRoom) =>
  asked<Membership>('/api/rooms', post({ avatar: ownAvatar(), ...body }));
export const joinRoom = (code: string, name: string, token: string, watch = false) =>
  asked<Membership>(`${room(code)}/members`, post({ name, avatar: ownAvatar(), token, watch }));
export const ownTable = (code: string, token: string) =>
  asked<OwnTable>(`${room(code)}/membership`, { headers: { authorization: `Bearer ${token}` } });
export const playedGames = async (code: string) =>
  (await asked<Schemas['PlayedGames']>(`${room(code)}/games`)).games;
export const askRoom = (code: string, token: string, request: Request) =>
  asked<Room>(`${room(code)}/requests`, post(request, { authorization: `Bearer ${token}` }));
export const script = (code: string, language: string) =>
  asked<Schemas['Script']>(`${room(code)}/script/${language}`);
export const dealtRoles = (code: string, token: string, language: string) =>
  asked<Schemas['DealtRoles']>(`${room(code)}/moderator/${language}`, {
    headers: { authorization: `Bearer ${token}` },
  });
export const recordAddress = (code: string, number: number) => `${room(code)}/games/${number}/record`;
export const gameRecord = async (code: string, number: number) =>
  (await answered(recordAddress(code, number))).text();
export const gameReplay = (code: string, number: number, listener: string) =>
  asked<Replay>(`${room(code)}/games/${number}/replay/${encodeURIComponent(listener)}`);

export const botReasons = async (code: string, number: number, seat: number) =>
  (await asked<Schemas['BotReasons']>(`${room(code)}/games/${number}/why/${seat}`)).reasons;

const room = (code: string) => `/api/rooms/${encodeURIComponent(code)}`;

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function asked<Answer>(path: string, how?: RequestInit): Promise<Answer> {
  return (await answered(path, how)).json() as Promise<Answer>;
}

async function answered(path: string, how?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...how, headers: { 'accept-language': language.now, ...how?.headers } });
  } catch {
    throw unreachable();
  }
  if (answer.ok) return answer;
  throw await faultIn(answer);
}

async function faultIn(answer: Response): Promise<Fault> {
  try {
    const refusal = (await answer.json()) as Schemas['ErrorBody'];
    return new Fault(refusal.code, refusal.message, refusal.variant, refusal.values);
  } catch {
    return unreachable(); // a proxy answered instead of the server
  }
}
