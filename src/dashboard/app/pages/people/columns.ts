import { useLocalStorage } from "@mantine/hooks";

const MOST = 3;

/** Names of the properties that the list of people shows. */
export const useColumns = () => {
  const [columns, setColumns] = useLocalStorage<readonly string[]>({
    key: "mailspan-people-columns",
    defaultValue: ["plan"],
    getInitialValueInEffect: false,
  });
  const toggle = (name: string) =>
    setColumns((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name]));
  return { columns, toggle, isFull: columns.length >= MOST };
};
